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
    /// How long a request that is under way may go on when its task is cancelled.
    package var drain = Duration.zero
    package var userAgent = "reconcile-job"
    /// Nobody is asked: a receipt is believed by its own signature alone.
    package var isOffline = false

    package init() {}
}

extension ValidationSettings {
    /// Between the beginning of an outage and the first probe.
    var firstProbeWait: Duration { max(backoff, .seconds(1)) }

    /// A request starts on the wire some milliseconds after its token was taken, and the next
    /// perhaps sooner after its own. Two tokens taken lawfully may so come too close; what may
    /// start within that time is left out of the burst.
    fileprivate static let secondsFromTokenToWire = 0.01

    /// The bucket that keeps SPEC §2.6's law for what starts, not only for what was let through.
    func bucket(rate: Double) -> TokenBucket {
        let reserve = (rate * Self.secondsFromTokenToWire).rounded(.up)
        return TokenBucket(rate: rate, burst: max(1, burst - Int(min(reserve, 1_000_000))))
    }
}

/// What is known of a stored receipt before Apple is asked.
package enum ValidationCourse: Sendable {
    case known(ValidationReport)
    case ask(ReceiptQuestion)
}

/// A receipt to ask Apple about. Two that are equal need one call.
package struct ReceiptQuestion: Hashable, Sendable {
    let receipt: SendableReceipt
    /// The app whose secret goes with it.
    let bundle: BundleID
    let secret: SharedSecret?
    /// Made of the receipt, once: a table of questions asks for it often.
    private let fingerprint: UInt64

    init(receipt: SendableReceipt, bundle: BundleID, secret: SharedSecret?) {
        (self.receipt, self.bundle, self.secret) = (receipt, bundle, secret)
        fingerprint = receipt.base64.mixed
    }

    /// What the answer is recorded under: SHA-256 of the receipt as it is sent, a line feed and the
    /// bundle. Never of the secret, which is in no table in any form.
    package var digest: [UInt8] {
        var stream = DigestStream()
        receipt.base64.withUnsafeBytes { stream.update($0) }
        Array("\n\(bundle.text)".utf8).withUnsafeBytes { stream.update($0) }
        return stream.finish().bytes
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.fingerprint == right.fingerprint && left.receipt.base64 == right.receipt.base64
            && left.secret == right.secret
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

/// A failure that is the run's and not one receipt's: no server is to be trusted.
package struct ValidationFailure: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ error: HTTPError) { description = error.description }
}

/// Takes tokens from the bucket that all workers share, of one of Apple's servers; reckoned from
/// `lead` after the bucket's own clock.
package typealias TokenSource =
    @Sendable (_ environment: StoreEnvironment, _ count: Int, _ lead: Duration) async throws
    -> TokenSlice

extension ValidationSettings {
    /// What is left out of the burst where workers share it: what may be late by a token's slack
    /// and on its way to the wire.
    package func sharedBurst(rate: Double) -> Int {
        let reserve = (rate * (Self.secondsFromTokenToWire + 0.05)).rounded(.up)
        return max(1, burst - Int(min(reserve, 1_000_000)))
    }

    func sharedLimiters(
        _ tokens: TokenSource?, clock: AnyClock
    ) -> [StoreEnvironment: SlicedLimiter<AnyClock>] {
        guard let tokens else { return [:] }
        let rates = [StoreEnvironment.production: rate, .sandbox: sandboxRate]
        return Dictionary(
            uniqueKeysWithValues: rates.map { environment, rate in
                let limiter = SlicedLimiter(rate: rate, clock: clock) { count, lead in
                    try await tokens(environment, count, lead)
                }
                return (environment, limiter)
            })
    }
}
