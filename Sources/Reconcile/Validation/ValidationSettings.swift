/// How Apple is asked: where, how often, how patiently.
package struct ValidationSettings: Sendable {
    package var productionURL = "https://buy.itunes.apple.com/verifyReceipt"
    package var sandboxURL = "https://sandbox.itunes.apple.com/verifyReceipt"
    /// A PEM file of trusted roots. Nil: the system's.
    package var certificateFile: String?
    /// Requests a second to production.
    package var rate = 10.0
    package var sandboxRate = 10.0
    /// Requests that may start at once.
    package var burst = 10
    /// For one attempt.
    package var timeout = Duration.seconds(15)
    package var connectTimeout = Duration.seconds(5)
    /// For one receipt in one environment.
    package var maxAttempts = 4
    /// The longest wait after the first attempt; doubled after each further one, up to 30 s.
    package var backoff = Duration.seconds(1)
    /// For all attempts of one receipt and the backoff between them.
    package var receiptDeadline = Duration.seconds(60)
    /// How long one outage of Apple's is waited out.
    package var outagePatience = Duration.seconds(600)
    package var maxConnections = 16
    package var userAgent = "reconcile-job"

    package init() {}
}

extension ValidationSettings {
    /// Between the beginning of an outage and the first probe.
    var firstProbeWait: Duration { max(backoff, .seconds(1)) }

    /// A request starts on the wire some milliseconds after its token was taken, and the next
    /// perhaps sooner after its own. Two tokens taken lawfully may so come too close; what may
    /// start within that time is left out of the burst.
    private static let secondsFromTokenToWire = 0.01

    /// The bucket that keeps SPEC §2.6's law for what starts, not only for what was let through.
    func bucket(rate: Double) -> TokenBucket {
        let reserve = (rate * Self.secondsFromTokenToWire).rounded(.up)
        return TokenBucket(rate: rate, burst: max(1, burst - Int(min(reserve, 1_000_000))))
    }
}

/// What is known of a stored receipt before Apple is asked.
package enum ValidationCourse: Sendable {
    case known(Validation)
    case ask(ReceiptQuestion)
}

/// A receipt to ask Apple about. Two that are equal need one call.
package struct ReceiptQuestion: Hashable, Sendable {
    let receipt: SendableReceipt
    /// The app whose secret it is.
    let bundle: BundleID
    let secret: SharedSecret?

    package static func == (left: Self, right: Self) -> Bool {
        left.receipt.base64 == right.receipt.base64 && left.secret == right.secret
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(receipt.base64.mixed) }
}

/// A failure that is the run's and not one receipt's: no server is to be trusted.
package struct ValidationFailure: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ error: HTTPError) { description = error.description }
}
