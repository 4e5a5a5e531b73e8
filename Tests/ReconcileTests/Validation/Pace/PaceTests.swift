import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Admission of requests to Apple", .timeLimit(.minutes(10)))
struct PaceTests {
    private let scene = PaceScene()
    private var clock: ManualClock { scene.clock }

    @Test("In an outage requests wait, and probes are admitted one at a time until it is over")
    func outage() async throws {
        let pace = scene.pace()
        try await scene.breakDown(pace)
        let out = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...6 {
                group.addTask {
                    let admission = try await scene.admission(pace)
                    // While a probe is in flight, no other request is.
                    out.update { $0 += 1 }
                    if admission == .probe { #expect(out.current == 1) }
                    scene.note(pace, .sound, after: admission)
                    out.update { $0 -= 1 }
                    pace.leave(admission)
                }
            }
            while pace.waiting < 5 { await Task.yield() }
            await clock.wake(at: .seconds(1))
            try await group.waitForAll()
        }
        #expect(scene.changes.current.last == .outageEnded(after: .seconds(1)))
        #expect(try await scene.ask(pace, .sound) == .free)
    }

    @Test("After a failed probe another task sends the next one")
    func rotation() async throws {
        let pace = scene.pace()
        try await scene.breakDown(pace)
        let first = Task { try await scene.admission(pace) }
        await clock.wake(at: .seconds(1))
        let probe = try await first.value
        #expect(probe == .probe)
        let second = Task { try await scene.admission(pace) }
        await expectWaiting(second)
        scene.note(pace, .troubled, after: probe)
        await expectWaiting(second)
        pace.leave(probe)
        await clock.wake(at: .seconds(3))
        #expect(try await second.value == .probe)
    }

    @Test("A task that waits for a token when an outage begins is not admitted")
    func inLine() async throws {
        let pace = scene.pace {
            $0.rate = 1
            $0.burst = 51
            $0.backoff = .seconds(10)
        }
        for _ in 1...49 { try await scene.ask(pace, .troubled) }
        // The fiftieth token is taken, and its request is in flight.
        let last = try await scene.admission(pace)
        let waiting = Task { try await scene.admission(pace) }
        await clock.sleepers(1)
        scene.note(pace, .troubled, after: last)
        #expect(scene.changes.current.last == .outageBegan(cause: "HTTP 503"))
        // The token is due, and the task is not admitted.
        clock.advance(by: .seconds(3))
        await clock.wake(at: .seconds(10))
        #expect(try await waiting.value == .probe)
    }

    @Test("When an outage outlasts its patience, the waiting requests are given up")
    func patience() async throws {
        let pace = scene.pace { $0.outagePatience = .seconds(5) }
        try await scene.breakDown(pace)
        #expect(try await scene.probe(pace, .troubled, at: .seconds(1)) == .probe)
        #expect(try await scene.probe(pace, .troubled, at: .seconds(3)) == .probe)
        let tasks = (1...3).map { _ in Task { try await scene.admission(pace) } }
        await clock.wake(at: .seconds(5))
        for task in tasks { #expect(try await task.value == .outage) }
        #expect(scene.changes.current.last == .outageOutlasted(after: .seconds(5)))
        #expect(try await scene.admission(pace) == .outage)
    }

    @Test("A task waits for the end of an outage, or for a token, until its deadline and no longer")
    func deadline() async throws {
        let down = scene.pace()
        try await scene.breakDown(down)
        let slow = scene.pace {
            $0.rate = 1
            $0.burst = 1
        }
        try await scene.ask(slow, .sound)
        for (pace, count) in [(down, 3), (slow, 1)] {
            let due = clock.now.sinceStart + .milliseconds(400)
            let tasks = (1...count).map { _ in
                Task { try await scene.admission(pace, before: due) }
            }
            await clock.sleepers(1)
            clock.advance(by: .milliseconds(400))
            for task in tasks { #expect(try await task.value == .tooLate) }
        }
    }

    @Test("A cancelled task is removed from wherever it waits")
    func cancellation() async throws {
        let pace = scene.pace {
            $0.rate = 1
            $0.burst = 51
        }
        try await scene.breakDown(pace)
        // One task waits for a token, and another behind it.
        let tasks = (1...2).map { _ in Task { try await scene.admission(pace) } }
        while pace.waiting < 1 { await Task.yield() }
        for task in tasks {
            await clock.sleepers(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
        // The probe has no token yet.
        let probe = Task { try await scene.admission(pace) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await clock.sleepers(1)
        probe.cancel()
        await #expect(throws: CancellationError.self) { _ = try await probe.value }
        let next = Task { try await scene.admission(pace) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(60))
        #expect(try await next.value == .probe)
    }

    @Test("A Retry-After of over a minute pauses its server, and not the other one")
    func pause() async throws {
        let pace = scene.pace()
        try await scene.ask(pace, .throttled, retryAfter: .seconds(60))
        #expect(try await scene.ask(pace, .sound) == .free)
        try await scene.ask(pace, .sound, retryAfter: .seconds(61))
        #expect(try await scene.ask(pace, .sound) == .free)
        for wait in [61, 62, 61] {
            scene.note(pace, .throttled, after: .free, retryAfter: .seconds(wait))
        }
        #expect(try await scene.ask(pace, .sound, of: .sandbox) == .free)
        let waiting = Task { try await scene.admission(pace) }
        await clock.wake(at: .seconds(62))
        #expect(try await waiting.value == .free)
        #expect(
            scene.changes.current == [
                .rateHalved(.production, perSecond: 5_000),
                .paused(.production, for: .seconds(61)),
            ])
    }

    @Test("The rate of the troubled server is reduced, and not that of the other one")
    func buckets() async throws {
        let pace = scene.pace()
        try await scene.ask(40, pace, .sound)
        for _ in 1...21 { try await scene.ask(pace, .troubled, of: .sandbox) }
        #expect(scene.changes.current == [.rateHalved(.sandbox, perSecond: 2_500)])
        clock.advance(by: .seconds(10))
        for _ in 1...80 { try await scene.ask(pace, .sound, of: .sandbox) }
        clock.advance(by: .seconds(20))
        try await scene.ask(pace, .sound, of: .sandbox)
        #expect(scene.changes.current.last == .rateRestored(.sandbox, perSecond: 5_000))
    }

    @Test("Each request takes one token of its server, and its wait is counted once")
    func sharedBuckets() async throws {
        let taken = Shared<[StoreEnvironment]>([])
        let bucket = Shared(SimulatedBucket(rate: 10, burst: 1))
        let pace = scene.pace {
            $0.rate = 10
            $0.sandboxRate = 10
        } tokens: { [clock] environment, request in
            taken.update { $0 += Array(repeating: environment, count: request.count) }
            var slice: TokenSlice?
            bucket.update { slice = $0.slice(for: request, at: clock.now.sinceStart) }
            return try #require(slice)
        }
        try await scene.ask(pace, .elsewhere)
        let second = Task { try await scene.ask(pace, .sound, of: .sandbox) }
        await clock.wake(at: .milliseconds(100))
        #expect(try await second.value == .free)
        #expect(taken.current == [.production, .sandbox])
        #expect(scene.waits.all == WaitTally.Waits(forTokens: .milliseconds(100)))
    }

    @Test("An error of the token source is thrown, and another task may send the probe")
    func failingTokens() async throws {
        let fails = Shared(false)
        let pace = scene.pace(tokens: { _, request in
            if fails.current { throw NoTokens() }
            return TokenSlice(
                takenAt: .zero, firstDue: .zero, apart: .zero, count: request.count)
        })
        try await scene.breakDown(pace)
        clock.advance(by: .seconds(1))
        fails.update { $0 = true }
        await #expect(throws: NoTokens.self) { try await scene.admission(pace) }
        fails.update { $0 = false }
        clock.advance(by: .seconds(60))
        #expect(try await scene.admission(pace) == .probe)
    }
}

private struct NoTokens: Error {}
