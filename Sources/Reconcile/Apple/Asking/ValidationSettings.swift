package struct ValidationSettings: Sendable {
    package var productionURL = "https://buy.itunes.apple.com/verifyReceipt"
    package var sandboxURL = "https://sandbox.itunes.apple.com/verifyReceipt"
    /// A PEM file of trusted roots for TLS. Nil: the system's roots.
    package var certificateFile: String?
    /// Requests per second to production.
    package var rate = 10.0
    package var sandboxRate = 10.0
    /// Requests that may start at once.
    package var burst = 10
    package var timeout = Duration.seconds(15)
    package var connectTimeout = Duration.seconds(5)
    package var maxAttempts = 4
    /// The longest wait after the first attempt; doubles after each further attempt, up to 30 s.
    package var backoff = Duration.seconds(1)
    /// For all attempts of one receipt, including backoff.
    package var receiptDeadline = Duration.seconds(60)
    package var asker = Asker.run
    /// The longest outage to wait out.
    package var outagePatience = Duration.seconds(600)
    package var maxConnections = 16
    /// How long a request in flight may continue after its task was cancelled.
    package var drain = Duration.zero
    package var userAgent = "reconcile-job"
    /// `--offline`: no requests; a receipt is verified by its own signature alone.
    package var isOffline = false
    /// Whether to compare Apple's clock with this machine's: true when `as_of` is the current time.
    package var comparesClocks = false

    package init() {}

    /// Who waits for the answers. It decides what ends a wait, and by which flag.
    package enum Asker: Sendable {
        /// A run, or a look of an operator's.
        case run
        /// Requests of the service, each with its own patience. Apple is never given up for good.
        case requests
    }
}

extension ValidationSettings.Asker {
    /// The longest outage to wait out before the first HTTP answer: the address may be wrong. Nil:
    /// as long as any other outage.
    var patienceWithoutAnswer: Duration? {
        switch self {
        case .run: .seconds(60)
        case .requests: nil
        }
    }

    /// Why a request was not sent before its deadline.
    var tooLate: String {
        switch self {
        case .run: "not answered before --max-runtime was over"
        case .requests: "it was not its turn within --outage-patience, 30 s by default"
        }
    }

    /// What to do besides correcting the clock, as the end of a sentence.
    var otherClock: String {
        switch self {
        case .run: ", or give --as-of"
        case .requests: ""
        }
    }
}

extension ValidationSettings {
    /// The time between the start of an outage and the first probe.
    var firstProbeWait: Duration { max(backoff, .seconds(1)) }
}

enum Precheck: Sendable {
    case resolved(ValidationReport)
    case mustRequest(ReceiptRequest)
}

/// Takes tokens from the bucket of one environment, which all workers share.
package typealias TokenSource =
    @Sendable (_ environment: StoreEnvironment, TokenRequest) async throws -> TokenSlice

// The rate limit: in every window of w seconds at most `burst + rate * w` requests start.
extension ValidationSettings {
    /// The longest time from the use of a token to the start of its request on the wire.
    private static let fromTokenToWire = Duration.milliseconds(10)

    /// The burst of the shared bucket in PostgreSQL. Workers take tokens in advance and use each up
    /// to `TokenLedger.slack` after it fell due.
    package func sharedBurst(rate: Double) -> Int {
        burst(rate: rate, startingWithin: TokenLedger.slack + Self.fromTokenToWire)
    }

    /// The burst of a bucket in memory, which counts a token at its use.
    func localBurst(rate: Double) -> Int {
        burst(rate: rate, startingWithin: Self.fromTokenToWire)
    }

    /// For a bucket whose tokens start a request up to `delay` after the bucket counted them:
    /// requests that start within w seconds were counted within w + `delay`, so the burst is
    /// reduced by the tokens that the rate adds in `delay`, rounded up. At least 1 remains, or no
    /// request would start; where `burst` is too small, `burst + rate * (w + delay)` is the limit.
    private func burst(rate: Double, startingWithin delay: Duration) -> Int {
        let reserve = (rate * (delay / .seconds(1))).rounded(.up)
        return max(1, burst - Int(min(reserve, 1_000_000_000)))
    }

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
