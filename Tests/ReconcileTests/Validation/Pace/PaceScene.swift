import Testing

@testable import Reconcile
@testable import TestSupport

/// A pace by a clock that stands still, and requests that bring what a test wants.
struct PaceScene: Sendable {
    let clock = ManualClock()
    let changes = Shared<[PaceChange]>([])

    /// 10,000 a second to production and 5,000 to the sandbox.
    func pace(change: (inout ValidationSettings) -> Void = { _ in }) -> Pace {
        var settings = ValidationSettings()
        (settings.rate, settings.sandboxRate, settings.burst) = (10_000, 5_000, 10_000)
        change(&settings)
        let changes = changes
        return Pace(
            settings, clock: AnyClock(clock),
            observe: { change in changes.update { $0 += [change] } })
    }

    func admission(
        _ pace: Pace, to environment: StoreEnvironment = .production, for bundle: BundleID = "acme",
        before deadline: Duration? = nil
    ) async throws -> Pace.Admission {
        try await pace.admission(
            to: environment, for: bundle,
            before: deadline.map { AnyClock.Instant(sinceStart: $0) })
    }

    @discardableResult
    func note(
        _ pace: Pace, _ reply: ReplyClass, from environment: StoreEnvironment = .production,
        for bundle: BundleID = "acme", hasSecret: Bool = true, after admission: Pace.Admission,
        retryAfter: Duration? = nil, isRefusedBefore: Bool = false
    ) async -> Pace.Standing {
        let question = ReceiptQuestion(
            receipt: SendableReceipt(encoding: [], bundle: bundle), bundle: bundle,
            secret: hasSecret ? SharedSecret(text: "canary") : nil)
        return await pace.note(
            reply, from: environment, about: question, after: admission, retryAfter: retryAfter,
            isRefusedBefore: isRefusedBefore)
    }

    /// A whole request.
    @discardableResult
    func ask(
        _ pace: Pace, _ reply: ReplyClass, of environment: StoreEnvironment = .production,
        for bundle: BundleID = "acme", hasSecret: Bool = true, retryAfter: Duration? = nil
    ) async throws -> Pace.Admission {
        let admission = try await admission(pace, to: environment, for: bundle)
        guard admission == .free || admission == .probe else { return admission }
        await note(
            pace, reply, from: environment, for: bundle, hasSecret: hasSecret, after: admission,
            retryAfter: retryAfter)
        pace.leave(admission)
        return admission
    }

    /// Fifty failures.
    func breakDown(_ pace: Pace) async throws {
        for _ in 1...50 { try await ask(pace, .troubled) }
        #expect(changes.current.last == .outageBegan)
    }
}
