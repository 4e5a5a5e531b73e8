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
    /// Receipts come from anybody, and not from those who keep them: what Apple says of one whose
    /// signature does not fit its own bytes says nothing of Apple.
    package var expectsForgeries = false
    /// Nobody is asked: a receipt is believed by its own signature alone.
    package var isOffline = false
    /// Apple's clock is compared with ours: everything is judged at this instant.
    package var comparesClocks = false

    package init() {}
}

extension ValidationSettings {
    /// Between the beginning of an outage and the first probe.
    var firstProbeWait: Duration { max(backoff, .seconds(1)) }
}

/// What is known of a stored receipt before Apple is asked.
package enum Precheck: Sendable {
    case resolved(ValidationReport)
    case mustRequest(ReceiptRequest)
}

/// A receipt to ask Apple about. Two that are equal need one call.
package struct ReceiptRequest: Hashable, Sendable {
    let receipt: SendableReceipt
    /// The app whose secret goes with it.
    let bundle: BundleID
    let secret: SharedSecret?

    init(receipt: SendableReceipt, bundle: BundleID, secret: SharedSecret?) {
        self.receipt = receipt
        self.bundle = bundle
        self.secret = secret
    }

    /// What evidence keeps the answer under: SHA-256 of the receipt as it is sent, a line feed and
    /// the bundle. Never of the secret, which is in no table in any form.
    package var digest: [UInt8] {
        var stream = DigestStream()
        receipt.base64.withUnsafeBytes { stream.update($0) }
        Array("\n\(bundle.text)".utf8).withUnsafeBytes { stream.update($0) }
        return stream.finish().bytes
    }

    /// SHA-256 of the receipt's bytes, after its base64 was repaired.
    package var receiptDigest: Digest { Digest.sha256(receipt.bytes) }

    package static func == (left: Self, right: Self) -> Bool {
        left.receipt.base64 == right.receipt.base64 && left.secret == right.secret
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(receipt.base64) }
}

/// A failure that is the run's and not one receipt's: no server is to be trusted.
package struct ValidationFailure: Error, Equatable, CustomStringConvertible {
    package let description: String
    package let cause: Cause

    package enum Cause: Sendable {
        case server
        /// This machine has no descriptor, memory or thread left.
        case shortage
        /// Our clock, or Apple's, is wrong by more than a day.
        case clock
    }

    init(_ error: HTTPError) {
        description = error.description
        cause = error.reason == .shortage ? .shortage : .server
    }

    init(clockOf server: Instant, now: Instant) {
        description =
            "Apple's clock says \(server), and this machine's \(now). Everything would be judged at"
            + " the wrong instant. Set the clock, by NTP for example, or give --as-of."
        cause = .clock
    }
}

/// Takes tokens from the bucket that all workers share, of one of Apple's servers.
package typealias TokenSource =
    @Sendable (_ environment: StoreEnvironment, TokenRequest) async throws -> TokenSlice

// The rate limit: in every window of w seconds at most `burst + rate * w` requests start (SPEC
// §2.6).
extension ValidationSettings {
    /// From when a token is used to when its request starts on the wire, at most.
    private static let fromTokenToWire = Duration.milliseconds(10)

    /// The burst of the bucket in PostgreSQL that all workers share.
    ///
    /// A worker takes tokens in advance and uses each up to `TokenLedger.slack` after it fell due.
    package func sharedBurst(rate: Double) -> Int {
        burst(rate: rate, startingWithin: TokenLedger.slack + Self.fromTokenToWire)
    }

    /// The burst of a bucket in memory, which counts a token when it is used.
    func localBurst(rate: Double) -> Int {
        burst(rate: rate, startingWithin: Self.fromTokenToWire)
    }

    /// The burst of a bucket whose tokens start a request up to `delay` after the bucket counted
    /// them.
    ///
    /// Requests that start within w seconds were counted within w + `delay`, so the burst leaves
    /// out the tokens that the rate adds in `delay`, rounded up. At least 1 is left, or no request
    /// would ever start; where the burst is too small for that, the limit that holds is
    /// `burst + rate * (w + delay)`.
    private func burst(rate: Double, startingWithin delay: Duration) -> Int {
        let reserve = (rate * (delay / .seconds(1))).rounded(.up)
        return max(1, burst - Int(min(reserve, 1_000_000_000)))
    }

    /// One limiter for each of Apple's servers.
    /// - Parameter tokens: nil for buckets in memory, which no other process shares.
    func limiters(
        _ tokens: TokenSource?, clock: AnyClock
    ) -> [StoreEnvironment: RateLimiter<AnyClock>] {
        let rates = [StoreEnvironment.production: rate, .sandbox: sandboxRate]
        return Dictionary(
            uniqueKeysWithValues: rates.map { environment, rate in
                guard let tokens else {
                    let burst = localBurst(rate: rate)
                    return (environment, RateLimiter(rate: rate, burst: burst, clock: clock))
                }
                let limiter = RateLimiter(rate: rate, clock: clock) { request in
                    try await tokens(environment, request)
                }
                return (environment, limiter)
            })
    }
}
