import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A rate limiter", .timeLimit(.minutes(10)))
struct RateLimiterTests {
    let clock = ManualClock()

    private func limiter(rate: Double, burst: Int) -> RateLimiter<ManualClock> {
        RateLimiter(rate: rate, burst: burst, clock: clock)
    }

    @Test("A burst is let through without sleeping")
    func burst() async throws {
        let limiter = limiter(rate: 1, burst: 50)
        for _ in 1...50 { try await limiter.acquire() }
        #expect(clock.deadlines.isEmpty)
    }

    @Test("Waiting tasks go in order, one an interval, and only the first of them sleeps")
    func order() async throws {
        let limiter = limiter(rate: 10, burst: 1)
        try await limiter.acquire()
        let passed = Shared<[Int]>([])
        try await withThrowingTaskGroup { group in
            for number in 1...4 {
                group.addTask {
                    try await limiter.acquire()
                    passed.update { $0.append(number) }
                }
                if number == 1 {
                    await clock.sleepers(1)
                } else {
                    await line(of: number - 1, limiter)
                }
            }
            for number in 1...4 {
                await clock.sleepers(1)
                #expect(clock.deadlines.map(\.sinceStart) == [.milliseconds(100 * number)])
                clock.advance(by: .milliseconds(100))
                try await group.next()
                #expect(passed.current == Array(1...number))
            }
        }
    }

    @Test("A pause that begins while the first task sleeps is honoured")
    func pause() async throws {
        let limiter = limiter(rate: 10, burst: 1)
        try await limiter.acquire()
        async let second = limiter.acquire()
        await clock.sleepers(1)
        await limiter.pause(for: .seconds(60))
        clock.advance(by: .milliseconds(100))
        await clock.sleepers(1)
        #expect(clock.deadlines.map(\.sinceStart) == [.seconds(60)])
        clock.advance(by: .milliseconds(59_900))
        #expect(try await second)
    }

    @Test("Nothing is let through in a pause, and a shorter pause does not change it")
    func longestPause() async throws {
        let limiter = limiter(rate: 10, burst: 1)
        #expect(await limiter.pause(for: .seconds(90)))
        #expect(await !limiter.pause(for: .seconds(30)))
        async let first = limiter.acquire()
        await clock.sleepers(1)
        clock.advance(by: .seconds(60))
        #expect(clock.deadlines.map(\.sinceStart) == [.seconds(90)])
        clock.advance(by: .seconds(30))
        #expect(try await first)
        #expect(await limiter.pause(for: .seconds(1)))
    }

    @Test("A pause may be as long as a clock can express")
    func endlessPause() async throws {
        let limiter = limiter(rate: 10, burst: 10)
        await limiter.pause(for: .seconds(Int64.max))
        let deadline = clock.now.advanced(by: .seconds(1))
        async let first = limiter.acquire(before: deadline)
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        #expect(try await !first)
    }

    @Test("The rate may be halved while the first task sleeps, and recovers later")
    func adapts() async throws {
        let limiter = limiter(rate: 10, burst: 1)
        try await limiter.acquire()
        async let second = limiter.acquire()
        await clock.sleepers(1)
        #expect(await limiter.note(.throttled) == .halved(5))
        clock.advance(by: .milliseconds(100))
        // The first task lacked half a token, which now takes 100 ms, and less later.
        await clock.sleepers(1)
        let due = try #require(clock.deadlines.first?.sinceStart)
        #expect(due > .milliseconds(190) && due < .milliseconds(200))
        clock.advance(by: .milliseconds(100))
        #expect(try await second)
        clock.advance(by: .seconds(10))
        #expect(await limiter.note(.sound) == .restored(10))
        try await limiter.acquire()
        async let last = limiter.acquire()
        await clock.sleepers(1)
        #expect(clock.deadlines.map(\.sinceStart) == [.milliseconds(10_300)])
        clock.advance(by: .milliseconds(100))
        #expect(try await last)
    }

    @Test("A task that would wait beyond its deadline is refused, and so are those behind it")
    func deadline() async throws {
        let limiter = limiter(rate: 0.1, burst: 1)
        let deadline = clock.now.advanced(by: .seconds(2))
        #expect(try await limiter.acquire(before: deadline))
        async let second = limiter.acquire(before: deadline)
        await clock.sleepers(1)
        async let third = limiter.acquire(before: deadline)
        clock.advance(by: .seconds(2))
        #expect(try await second == false)
        #expect(try await third == false)
        clock.advance(by: .seconds(8))
        #expect(try await limiter.acquire())
    }

    @Test("A cancelled task takes no token and delays no other")
    func cancelledWaiter() async throws {
        let limiter = limiter(rate: 1, burst: 1)
        try await limiter.acquire()
        let tasks = await standInLine(3, limiter)
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        clock.advance(by: .seconds(1))
        try await tasks[0].value
        await clock.sleepers(1)
        #expect(clock.deadlines.map(\.sinceStart) == [.seconds(2)])
        clock.advance(by: .seconds(1))
        try await tasks[2].value
    }

    @Test("If the first waiting task is cancelled the next one becomes the first")
    func cancelledHead() async throws {
        let limiter = limiter(rate: 1, burst: 1)
        try await limiter.acquire()
        let tasks = await standInLine(2, limiter)
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        await clock.sleepers(1)
        #expect(clock.deadlines.map(\.sinceStart) == [.seconds(1)])
        clock.advance(by: .seconds(1))
        try await tasks[1].value
    }

    @Test("A task that is already cancelled is not let through, and takes no token")
    func cancelledBefore() async throws {
        let limiter = limiter(rate: 1, burst: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await limiter.acquire()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await limiter.acquire()
        #expect(clock.deadlines.isEmpty)
    }

    @Test("A crowd of tasks is served although some are cancelled")
    func crowd() async throws {
        let limiter = RateLimiter(rate: 20_000, burst: 5, clock: ContinuousClock())
        let served = Shared(0)
        await withTaskGroup { group in
            for number in 0..<400 {
                group.addTask {
                    let task = Task { _ = try await limiter.acquire() }
                    if number % 3 == 0 { task.cancel() }
                    if (try? await task.value) != nil { served.update { $0 += 1 } }
                }
            }
        }
        #expect(served.current >= 266)
        #expect(await limiter.waiting == 0)
        try await limiter.acquire()
    }

    private func standInLine(
        _ count: Int, _ limiter: RateLimiter<ManualClock>
    ) async -> [Task<Void, any Error>] {
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<count {
            tasks.append(Task { _ = try await limiter.acquire() })
            if number == 0 { await clock.sleepers(1) } else { await line(of: number, limiter) }
        }
        return tasks
    }

    func line(of count: Int, _ limiter: RateLimiter<ManualClock>) async {
        while await limiter.waiting < count { await Task.yield() }
    }
}
