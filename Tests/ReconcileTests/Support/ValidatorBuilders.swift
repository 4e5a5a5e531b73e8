import Testing

@testable import Reconcile
@testable import TestSupport

extension AppStoreValidator {
    /// Quick to try again, twice a server; slow to give up an answer, since tests share a machine.
    static func asking(
        _ apple: ScriptedApple, secrets: String = "* = canary",
        clock: some Clock<Duration> = ContinuousClock(),
        wallClock: Shared<Instant>? = nil,
        change: (inout ValidationSettings) -> Void = { _ in },
        observe: @escaping @Sendable (PaceChange) -> Void = { _ in }
    ) throws -> AppStoreValidator {
        try quick(
            production: apple.production.url, sandbox: apple.sandbox.url, secrets: secrets,
            clock: clock, wallClock: wallClock, change: change, observe: observe)
    }

    /// The same, wherever Apple is.
    static func quick(
        production: String, sandbox: String, secrets: String = "* = canary",
        clock: some Clock<Duration> = ContinuousClock(),
        wallClock: Shared<Instant>? = nil,
        change: (inout ValidationSettings) -> Void = { _ in },
        observe: @escaping @Sendable (PaceChange) -> Void = { _ in }
    ) throws -> AppStoreValidator {
        var settings = ValidationSettings()
        (settings.productionURL, settings.sandboxURL) = (production, sandbox)
        (settings.rate, settings.sandboxRate, settings.burst) = (10_000, 10_000, 10_000)
        (settings.timeout, settings.maxAttempts) = (.seconds(50), 2)
        settings.backoff = .milliseconds(1)
        change(&settings)
        return try AppStoreValidator(
            settings, secrets: SharedSecrets(parsing: secrets), clock: clock,
            now: { wallClock?.update { $0 = Instant(milliseconds: $0.milliseconds + 1) } ?? .asOf },
            observe: observe)
    }

    /// What to ask about a receipt that is worth asking about.
    func question(_ base64: String, storedFor bundle: BundleID = "acme") throws -> ReceiptQuestion {
        let course = course(of: ReceiptData(base64), storedFor: bundle)
        guard case .ask(let question) = course else {
            Issue.record("not to be asked: \(course)")
            throw CancellationError()
        }
        return question
    }
}

extension Validation {
    /// The outcome and its cause, as the database has them.
    var words: String {
        switch self {
        case .verified: "verified"
        case .rejected(let why): "rejected \(why.rawValue)"
        case .unusable(let why): "unusable \(why.rawValue)"
        case .unverified(let why): "unverified \(why.rawValue)"
        }
    }
}

extension SendableReceipt {
    init(encoding bytes: [UInt8], bundle: BundleID? = "acme") {
        self.init(base64: Base64.encode(bytes), bytes: bytes, bundle: bundle)
    }
}
