import Testing

@testable import Reconcile
@testable import TestSupport

/// Requests are admitted by a manual clock, at half the rate to the sandbox.
struct PaceScene: Sendable {
    let clock: ManualClock
    let pace: Pace
    let waits = WaitTally()
    private let observed = Shared<[PaceChange]>([])
    var changes: [PaceChange] { observed.current }

    init(
        _ clock: ManualClock = ManualClock(), rate: Double = 10_000, burst: Int = 10_000,
        change: (inout ValidationSettings) -> Void = { _ in }, tokens: TokenSource? = nil
    ) {
        self.clock = clock
        var settings = ValidationSettings()
        settings.rate = rate
        settings.sandboxRate = rate / 2
        settings.burst = burst
        change(&settings)
        pace = Pace(
            settings, tokens: tokens, clock: AnyClock(clock), waits: waits, isApples: { _ in true },
            status: { $0 == .requestRefused ? 21000 : 21004 },
            observe: { [observed] change in observed.update { $0.append(change) } })
    }

    func admission(before deadline: Duration? = nil) async throws -> Pace.Admission {
        let deadline = deadline.map { AnyClock.Instant(sinceStart: $0) }
        return try await pace.admission(
            to: .production, about: Self.question("acme"), before: deadline)
    }

    static func question(_ bundle: BundleID) -> Question {
        Question(subject: .receipt(SendableReceipt(encoding: [], bundle: bundle)), bundle: bundle)
    }

    func task(before deadline: Duration? = nil) -> Task<Pace.Admission, any Error> {
        .immediate { try await admission(before: deadline) }
    }

    func note(
        _ reply: ValidationReply, of server: AppleServer = .production,
        for bundle: BundleID = "acme", hasSecret: Bool = true,
        after admission: Pace.Admission = .free, wait: Int? = nil
    ) {
        var attempt = Attempt(reply, from: server, hasSecret: hasSecret)
        attempt.retryAfter = wait.map { .seconds($0) }
        let health = AnswerClass(attempt.health, ifApples: true)
        pace.note(attempt, health, from: server, about: Self.question(bundle), after: admission)
    }

    /// - Parameter count: of requests, which are all admitted at once.
    @discardableResult
    func ask(
        _ reply: ValidationReply, times count: Int? = nil,
        of server: AppleServer = .production,
        for bundle: BundleID = "acme", hasSecret: Bool = true, retryAfter wait: Int? = nil
    ) async throws -> Pace.Admission {
        var admission = Pace.Admission.free
        for _ in 0..<(count ?? 1) {
            admission = try await pace.admission(
                to: server, about: Self.question(bundle), before: nil)
            if count != nil { #expect(admission == .free) }
            guard admission == .free || admission == .probe else { break }
            note(reply, of: server, for: bundle, hasSecret: hasSecret, after: admission, wait: wait)
            pace.leave(admission, server)
        }
        return admission
    }

    func breakDown(by reply: ValidationReply = .troubled) async throws {
        try await ask(reply, times: 50)
        #expect(changes.last == .outageBegan(cause: reply.cause))
    }

    /// Sends a request that must wait, until the instant at which the next probe may go out.
    func probe(_ reply: ValidationReply, at due: Int? = nil) async throws -> Pace.Admission {
        async let probe = ask(reply)
        await clock.sleepers(1)
        clock.advanceToNext()
        if let due { #expect(clock.now.sinceStart == .seconds(due)) }
        return try await probe
    }
}

extension ValidationReply {
    static let sound = status(0, showing: .showing())
    static let troubled = httpStatus(503)
    static let throttled = httpStatus(429)
    static let elsewhere = status(21007)
    static let secretMismatch = status(21004)
}

/// To add a case: a scene that gets replies, whose clock is moved, and the admissions or `changes`
/// that follow.
@Suite("Admission of requests to Apple", .hangLimit)
struct PaceTests {
    private let scene = PaceScene()
    /// One request a second after the first fifty.
    private let slow = PaceScene(rate: 1, burst: 51) { $0.backoff = .seconds(10) }

    @Test("The service never gives Apple up, even if no request was ever answered")
    func neverOver() async throws {
        let scene = PaceScene {
            $0.asker = .requests
            $0.outagePatience = .seconds(3_650 * 86_400)
        }
        try await scene.breakDown(by: .unreachable)
        for _ in 0..<20 {
            let admission = try await scene.probe(.unreachable)
            #expect(admission == .probe)
        }
    }

    @Test("In an outage requests wait, and probes are admitted one at a time until it is over")
    func outage() async throws {
        try await scene.breakDown()
        let out = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...6 {
                group.addImmediateTask {
                    let admission = try await scene.admission()
                    // While a probe is in flight, no other request is.
                    out.update { $0 += 1 }
                    if admission == .probe { #expect(out.current == 1) }
                    scene.note(.sound, after: admission)
                    out.update { $0 -= 1 }
                    scene.pace.leave(admission, .production)
                }
            }
            #expect(scene.pace.waiting == 5)
            await scene.clock.wake(at: .seconds(1))
            try await group.waitForAll()
        }
        #expect(scene.changes.last == .outageEnded(after: .seconds(1)))
        try await scene.ask(.sound, times: 1)
    }

    @Test("After a failed probe another task sends the next one, until all are given up")
    func rotation() async throws {
        let scene = PaceScene { $0.outagePatience = .seconds(5) }
        try await scene.breakDown()
        var task = scene.task()
        for due in [1, 3] {
            await scene.clock.wake(at: .seconds(due))
            #expect(try await task.value == .probe)
            task = scene.task()
            scene.note(.troubled, after: .probe)
            #expect(scene.pace.waiting == 1, "the probe has not left yet")
            scene.pace.leave(.probe, .production)
        }
        let tasks = [task, scene.task(), scene.task()]
        await scene.clock.wake(at: .seconds(5))
        for task in tasks { #expect(try await task.value == .outage) }
        #expect(scene.changes.last == .outageGaveUp(after: .seconds(5)))
        #expect(try await scene.admission() == .outage)
    }

    @Test("A task that waits for a token when an outage begins is not admitted")
    func inLine() async throws {
        try await slow.ask(.troubled, times: 49)
        let last = try await slow.admission()
        let waiting = slow.task()
        slow.note(.troubled, after: last)
        #expect(slow.changes.last == .outageBegan(cause: "HTTP 503"))
        // The token is due.
        slow.clock.advance(by: .seconds(3))
        await slow.clock.wake(at: .seconds(10))
        #expect(try await waiting.value == .probe)
    }

    @Test("A task waits for the end of an outage, or for a token, until its deadline and no longer")
    func deadline() async throws {
        try await scene.breakDown()
        try await slow.ask(.sound, times: 50)
        for (scene, count) in [(scene, 3), (slow, 1)] {
            let tasks = (1...count).map { _ in scene.task(before: .milliseconds(400)) }
            scene.clock.advance(by: .milliseconds(400))
            for task in tasks { #expect(try await task.value == .tooLate) }
        }
    }

    @Test("A cancelled task is removed from wherever it waits")
    func cancellation() async throws {
        let scene = PaceScene(rate: 1, burst: 51)
        try await scene.breakDown()
        let tasks = (1...2).map { _ in scene.task() }
        #expect(scene.pace.waiting == 1)
        func expectEnd(of task: Task<Pace.Admission, any Error>) async {
            await scene.clock.sleepers(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
        for task in tasks { await expectEnd(of: task) }
        // The probe has no token yet.
        let probe = scene.task()
        scene.clock.advance(by: .seconds(1))
        await expectEnd(of: probe)
        let next = scene.task()
        scene.clock.advance(by: .seconds(60))
        #expect(try await next.value == .probe)
    }

    @Test("A Retry-After of over a minute pauses its server, and not the other one")
    func pause() async throws {
        try await scene.ask(.throttled, retryAfter: 60)
        try await scene.ask(.sound, retryAfter: 61)
        try await scene.ask(.sound, times: 1)
        for wait in [61, 62, 61] { scene.note(.throttled, wait: wait) }
        try await scene.ask(.sound, times: 1, of: .sandbox)
        let waiting = scene.task()
        await scene.clock.wake(at: .seconds(62))
        #expect(try await waiting.value == .free)
        let halved = PaceChange.rateHalved(.production, perSecond: 5_000)
        #expect(scene.changes == [halved, .paused(.production, for: .seconds(61))])
    }

    @Test("The rate of the troubled server is reduced, and not that of the other one")
    func buckets() async throws {
        try await scene.ask(.sound, times: 40)
        try await scene.ask(.troubled, times: 21, of: .sandbox)
        #expect(scene.changes == [.rateHalved(.sandbox, perSecond: 2_500)])
        scene.clock.advance(by: .seconds(10))
        try await scene.ask(.sound, times: 80, of: .sandbox)
        scene.clock.advance(by: .seconds(20))
        try await scene.ask(.sound, of: .sandbox)
        #expect(scene.changes.last == .rateRestored(.sandbox, perSecond: 5_000))
    }

    @Test("Each request takes one token of its server, and its wait is counted once")
    func sharedBuckets() async throws {
        let taken = Shared<[AppleServer]>([])
        let bucket = Shared(SimulatedBucket(rate: 10, burst: 1))
        let clock = ManualClock()
        let tokens: TokenSource = { server, request in
            taken.update { $0 += Array(repeating: server, count: request.count) }
            var slice: TokenSlice?
            bucket.update { slice = $0.slice(for: request, at: clock.now.sinceStart) }
            return try #require(slice)
        }
        let scene = PaceScene(clock, rate: 10, tokens: tokens)
        try await scene.ask(.elsewhere)
        async let second = scene.ask(.sound, of: .sandbox)
        await clock.wake(at: .milliseconds(100))
        #expect(try await second == .free)
        #expect(taken.current == [.production, .sandbox])
        #expect(scene.waits.all == WaitTally.Waits(forTokens: .milliseconds(100)))
    }

    @Test("An error of the token source is thrown, and another task may send the probe")
    func failingTokens() async throws {
        let fails = Shared(false)
        let scene = PaceScene(tokens: { _, request in
            if fails.current { throw JSONError.tooLarge }
            return TokenSlice(takenAt: .zero, firstDue: .zero, apart: .zero, count: request.count)
        })
        try await scene.breakDown()
        scene.clock.advance(by: .seconds(1))
        fails.update { $0 = true }
        await #expect(throws: JSONError.self) { try await scene.admission() }
        fails.update { $0 = false }
        scene.clock.advance(by: .seconds(60))
        #expect(try await scene.admission() == .probe)
    }
}
