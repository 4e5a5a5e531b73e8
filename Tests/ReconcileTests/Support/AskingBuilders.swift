import Testing

@testable import Reconcile
@testable import TestSupport

extension Asking {
    /// Two attempts a server with short waits; long timeouts, since tests share a machine.
    static func testing(
        _ apple: ScriptedApple? = nil, secrets: String = "* = canary", roots: TrustedRoots = .apple,
        clock: some Clock<Duration> = ContinuousClock(), log: Shared<[RequestLine]> = Shared([]),
        change: (inout ValidationSettings) -> Void = { _ in },
        observe: @escaping @Sendable (PaceChange) -> Void = { _ in },
        source: (VerifyReceipt) -> any AppleSource = { $0 }
    ) throws -> Asking {
        var settings = ValidationSettings()
        settings.productionURL = apple?.production.url ?? ""
        settings.sandboxURL = apple?.sandbox.url ?? ""
        settings.rate = 10_000
        settings.sandboxRate = 10_000
        settings.burst = 10_000
        settings.timeout = .seconds(50)
        // A busy machine may look at a connection late.
        settings.connectTimeout = .seconds(50)
        settings.maxAttempts = 2
        settings.backoff = .milliseconds(1)
        change(&settings)
        let apple = AppleSignature(roots)
        let live = VerifyReceipt(
            settings, secrets: try SharedSecrets(parsing: secrets),
            through: try AppleTransport(settings, now: { .asOf }, observe: observe),
            provenBy: apple)
        return Asking(
            source(live), settings, provenBy: apple, clock: clock,
            log: { line in log.update { $0.append(line) } }, observe: observe)
    }

    func question(_ base64: String, storedFor bundle: BundleID = "acme") throws -> Question {
        let receipt = LocalReceipt(ReceiptData(base64))
        guard case .sendable(let sendable) = receipt else {
            Issue.record("resolved without a request: \(receipt)")
            throw CancellationError()
        }
        return Question(sendable, storedFor: bundle)
    }

    func look(at base64: String, storedFor bundle: BundleID = "acme") async throws -> QuestionResult
    {
        try await look(at: question(base64, storedFor: bundle), of: nil)
    }

    func report(on base64: String) async throws -> ValidationReport {
        let look = try await look(at: base64)
        guard case .concluded(let report) = look else {
            Issue.record("\(look.outcome)")
            throw CancellationError()
        }
        return report
    }
}

extension QuestionResult {
    /// A refusal as if it were doubted.
    private var report: ValidationReport {
        switch self {
        case .concluded(let report): report
        case .refused(let refusal): refusal.doubted(.refusalUnconfirmed)
        }
    }

    var outcome: ReceiptOutcome {
        switch self {
        case .concluded(let report): ReceiptOutcome(report.validation)
        case .refused(let refusal): .refused(refusal.rejection)
        }
    }

    var attempts: AttemptSummary { report.attempts }
    var body: AnswerBody? { report.body }
}

extension SendableReceipt {
    init(encoding bytes: [UInt8], bundle: BundleID? = "acme") {
        self.init(base64: Base64.encode(bytes), bytes: bytes, bundle: bundle)
    }
}

extension ValidationReply {
    static func status(
        _ status: Int, isRetryable: Bool? = nil, showing receipt: Receipt? = nil
    ) -> ValidationReply {
        .answer(
            VerifyReceiptAnswer(
                status: ReceiptStatus(rawValue: status), environment: nil,
                isRetryable: isRetryable, exception: nil, receipt: receipt))
    }

    static let unreachable = failure(
        .connectionFailed, cause: "curl 7: Couldn't connect to server", detail: "No connection")
}
