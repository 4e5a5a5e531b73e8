import Testing

@testable import Reconcile
@testable import TestSupport

/// The admission of requests by a clock that stands still, with the answers that a test wants.
struct PaceScene: Sendable {
    let clock = ManualClock()
    let changes = Shared<[PaceChange]>([])
    let waits = WaitTally()

    /// 10,000 requests a second to production and 5,000 to the sandbox.
    func pace(
        change: (inout ValidationSettings) -> Void = { _ in }, tokens: TokenSource? = nil
    ) -> Pace {
        var settings = ValidationSettings()
        settings.rate = 10_000
        settings.sandboxRate = 5_000
        settings.burst = 10_000
        change(&settings)
        let changes = changes
        return Pace(
            settings, tokens: tokens, clock: AnyClock(clock), waits: waits,
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

    func note(
        _ pace: Pace, _ reply: ValidationReply, from environment: StoreEnvironment = .production,
        for bundle: BundleID = "acme", hasSecret: Bool = true, after admission: Pace.Admission,
        retryAfter: Duration? = nil
    ) {
        let request = ReceiptRequest(
            receipt: SendableReceipt(encoding: [], bundle: bundle), bundle: bundle,
            secret: hasSecret ? SharedSecret(text: "canary") : nil)
        var attempt = Attempt(
            reply: reply,
            status: AppleStatus.of(reply, from: environment, hasSecret: hasSecret))
        attempt.retryAfter = retryAfter
        pace.note(attempt, from: environment, about: request, after: admission)
    }

    @discardableResult
    func ask(
        _ pace: Pace, _ reply: ValidationReply, of environment: StoreEnvironment = .production,
        for bundle: BundleID = "acme", hasSecret: Bool = true, retryAfter: Duration? = nil
    ) async throws -> Pace.Admission {
        let admission = try await admission(pace, to: environment, for: bundle)
        guard admission == .free || admission == .probe else { return admission }
        note(
            pace, reply, from: environment, for: bundle, hasSecret: hasSecret, after: admission,
            retryAfter: retryAfter)
        pace.leave(admission)
        return admission
    }

    /// Requests that are admitted at once.
    func ask(
        _ count: Int, _ pace: Pace, _ reply: ValidationReply, for bundle: BundleID = "acme",
        hasSecret: Bool = true
    ) async throws {
        for _ in 0..<count {
            let admission = try await ask(pace, reply, for: bundle, hasSecret: hasSecret)
            #expect(admission == .free)
        }
    }

    func breakDown(_ pace: Pace, by reply: ValidationReply = .troubled) async throws {
        try await ask(50, pace, reply)
        #expect(changes.current.last == .outageBegan(cause: reply.cause))
    }

    /// Sends a request that must wait, until the instant at which the next probe may go out.
    func probe(
        _ pace: Pace, _ reply: ValidationReply, at due: Duration? = nil
    ) async throws -> Pace.Admission {
        async let probe = ask(pace, reply)
        await clock.sleepers(1)
        clock.advanceToNext()
        if let due { #expect(clock.now.sinceStart == due) }
        return try await probe
    }
}

/// Replies of production by what they say about the server.
extension ValidationReply {
    static let sound = verified
    static let troubled = httpStatus(503)
    static let throttled = httpStatus(429)
    static let elsewhere = status(21007)
    static let secretMismatch = status(21004)
}
