import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A rate limiter", .timeLimit(.minutes(10)))
struct RateLimiterTests {
    let clock = ManualClock()

    private func limiter(rate: Double = 10, burst: Int = 1) -> RateLimiter<ManualClock> {
        RateLimiter(rate: rate, burst: burst, clock: clock)
    }

    /// A task that sleeps for the second token, after the first was taken.
    func second(
        _ limiter: RateLimiter<ManualClock>
    ) async throws -> Task<Bool, any Error> {
        try await limiter.acquire()
        let second = Task { try await limiter.acquire() }
        await clock.sleepers(1)
        return second
    }

    /// Tasks that wait in this order; the first of them sleeps, or is at the source.
    func line(
        _ count: Int, _ limiter: RateLimiter<ManualClock>,
        first: @autoclosure () async -> Void,
        then body: @escaping @Sendable (Int) -> Void = { _ in }
    ) async -> [Task<Void, any Error>] {
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<count {
            tasks.append(
                Task {
                    try await limiter.acquire()
                    body(number)
                })
            if number == 0 { await first() }
            while await limiter.waiting < number { await Task.yield() }
        }
        return tasks
    }

    @Test("A burst is let through without sleeping")
    func burst() async throws {
        let limiter = limiter(rate: 1, burst: 50)
        for _ in 1...50 { try await limiter.acquire() }
        #expect(clock.deadlines.isEmpty)
    }

    @Test("Waiting tasks go in order, one an interval, and only the first of them sleeps")
    func order() async throws {
        let limiter = limiter()
        try await limiter.acquire()
        let passed = Shared<[Int]>([])
        let tasks = await line(4, limiter, first: await clock.sleepers(1)) { number in
            passed.update { $0.append(number) }
        }
        for number in 0..<4 {
            await clock.wake(at: .milliseconds(100 * (number + 1)))
            try await tasks[number].value
            #expect(passed.current == Array(0...number))
        }
    }

    @Test("A pause that begins while the first task sleeps is honoured")
    func pause() async throws {
        let limiter = limiter()
        let second = try await second(limiter)
        await limiter.pause(for: .seconds(60))
        clock.advance(by: .milliseconds(100))
        await clock.wake(at: .seconds(60))
        #expect(try await second.value)
    }

    @Test("Nothing is let through in a pause, and a shorter pause does not change it")
    func longestPause() async throws {
        let limiter = limiter()
        #expect(await limiter.pause(for: .seconds(90)))
        #expect(await !limiter.pause(for: .seconds(30)))
        async let first = limiter.acquire()
        await clock.sleepers(1)
        clock.advance(by: .seconds(60))
        await clock.wake(at: .seconds(90))
        #expect(try await first)
        #expect(await limiter.pause(for: .seconds(1)))
    }

    @Test("A pause may be as long as a clock can express")
    func endlessPause() async throws {
        let limiter = limiter(burst: 10)
        await limiter.pause(for: .seconds(Int64.max))
        let deadline = clock.now.advanced(by: .seconds(1))
        async let first = limiter.acquire(before: deadline)
        await clock.wake(at: .seconds(1))
        #expect(try await !first)
    }

    @Test("The rate may be halved while the first task sleeps, and recovers later")
    func adapts() async throws {
        let limiter = limiter()
        let second = try await second(limiter)
        #expect(await limiter.note(.throttled) == .halved(5))
        clock.advance(by: .milliseconds(100))
        // The first task lacked half a token, which now takes 100 ms, and less later.
        await clock.sleepers(1)
        let due = try #require(clock.deadlines.first?.sinceStart)
        #expect(due > .milliseconds(190) && due < .milliseconds(200))
        clock.advance(by: .milliseconds(100))
        #expect(try await second.value)
        clock.advance(by: .seconds(10))
        #expect(await limiter.note(.sound) == .restored(10))
        let last = try await self.second(limiter)
        await clock.wake(at: .milliseconds(10_300))
        #expect(try await last.value)
    }

    @Test("A task that would wait beyond its deadline is refused, and so are those behind it")
    func deadline() async throws {
        let limiter = limiter(rate: 0.1)
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

    @Test(
        "A cancelled task takes no token and delays no other, first in the queue or not",
        arguments: [0, 1])
    func cancelledWaiter(number: Int) async throws {
        let limiter = limiter(rate: 1)
        try await limiter.acquire()
        var tasks = await line(3, limiter, first: await clock.sleepers(1))
        let cancelled = tasks.remove(at: number)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        for (second, task) in zip(1..., tasks) {
            await clock.wake(at: .seconds(second))
            try await task.value
        }
    }

    @Test("A task that is already cancelled is not let through, and takes no token")
    func cancelledBefore() async throws {
        let limiter = limiter(rate: 1)
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
}
