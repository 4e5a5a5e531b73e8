package struct ValidationSettings: Sendable {
    package var productionURL = "https://buy.itunes.apple.com/verifyReceipt"
    package var sandboxURL = "https://sandbox.itunes.apple.com/verifyReceipt"
    package var apiURL = "https://api.storekit.apple.com"
    package var apiSandboxURL = "https://api.storekit-sandbox.apple.com"
    /// A PEM file of trusted roots for TLS. Nil: the system's roots.
    package var certificateFile: String?
    /// Requests per second to production.
    package var rate = 10.0
    package var sandboxRate = 10.0
    /// Requests per second to the App Store Server API; of its sandbox, Apple grants a tenth.
    package var apiRate = 20.0
    /// Requests to verifyReceipt that may start at once. To the API: those of one second.
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
    /// Whether to compare Apple's clock with this machine's: true when `as_of` is the current time.
    package var comparesClocks = false

    package init() {}

    /// In requests per second.
    package func rate(of server: AppleServer) -> Double {
        switch server {
        case .production: rate
        case .sandbox: sandboxRate
        case .serverAPI: apiRate
        case .serverAPISandbox: apiRate / 10
        }
    }

    /// Requests that may start at once.
    func burst(of server: AppleServer) -> Int {
        switch server.source {
        case .verifyReceipt: burst
        case .serverAPI: Int(max(1, min(rate(of: server), 1_000_000_000)))
        }
    }

    /// Of the App Store Server API without a path.
    func url(of server: AppleServer) -> String {
        switch server {
        case .production: productionURL
        case .sandbox: sandboxURL
        case .serverAPI: apiURL
        case .serverAPISandbox: apiSandboxURL
        }
    }

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

    /// What else to do than correct the clock, as the end of a sentence.
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
