import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a `line` of tasks, a rate, and who has `passed` after the clock was moved.
@Suite("A rate limiter", .hangLimit)
struct RateLimiterTests {
    private typealias Limiter = RateLimiter<ManualClock>
    private let clock = ManualClock()
    private let passed = Shared<[Int]>([])

    /// Tasks that wait in this order. They note in `passed` that they are let through.
    private func line(_ count: Int, _ limiter: Limiter) -> [Task<Void, any Error>] {
        (0..<count).map { number in
            .waiting {
                _ = try await limiter.acquire()
                passed.update { $0.append(number) }
            }
        }
    }

    @Test("A burst is let through at once; then tasks go in order, and only the first sleeps")
    func order() async throws {
        let limiter = RateLimiter(rate: 10, burst: 50, clock: clock)
        for _ in 1...50 { _ = try await limiter.acquire() }
        #expect(clock.deadlines.isEmpty)
        for (number, task) in line(4, limiter).enumerated() {
            await clock.wake(at: .milliseconds(100 * (number + 1)))
            try await task.value
            #expect(passed.current == Array(0...number))
        }
    }

    @Test("A task that would wait beyond its deadline is refused, and so are those behind it")
    func deadline() async throws {
        let limiter = RateLimiter(rate: 0.1, burst: 1, clock: clock)
        let deadline = clock.now.advanced(by: .seconds(2))
        #expect(try await limiter.acquire(before: deadline))
        let both = (1...2).map { _ in Task.waiting { try await limiter.acquire(before: deadline) } }
        clock.advance(by: .seconds(2))
        for task in both { #expect(try await !task.value) }
        clock.advance(by: .seconds(8))
        #expect(try await limiter.acquire())
        // A pause may be of any length, and applies to a task that waits for the token at 20 s.
        let late = Task.waiting { [clock] in
            try await limiter.acquire(before: clock.now.advanced(by: .seconds(11)))
        }
        _ = limiter.pause(for: .seconds(Int64.max))
        for second in [20, 21] { await clock.wake(at: .seconds(second)) }
        #expect(try await !late.value)
    }

    @Test("A cancelled task takes no token and delays no other", arguments: [0, 1])
    func cancelled(number: Int) async throws {
        let limiter = RateLimiter(rate: 1, burst: 1, clock: clock)
        await expectNone { _ = try await limiter.acquire() }
        _ = try await limiter.acquire()
        #expect(clock.deadlines.isEmpty)
        var tasks = line(3, limiter)
        await expectCancelled(tasks.remove(at: number))
        for (second, task) in zip(1..., tasks) {
            await clock.wake(at: .seconds(second))
            try await task.value
        }
    }

    /// A limiter whose remote bucket records requests, and answers once it is opened.
    private struct Source: Sendable {
        let limiter: Limiter
        let requests = Shared<[TokenRequest]>([])
        let gate = Semaphore(permits: 0)

        init(rate: Double = 10, burst: Int = 1, _ clock: ManualClock) {
            let bucket = Shared(SimulatedBucket(rate: rate, burst: burst))
            limiter = RateLimiter(rate: rate, clock: clock) { [requests, gate] request in
                requests.update { $0.append(request) }
                var slice: TokenSlice?
                bucket.update { slice = $0.slice(for: request, at: clock.now.sinceStart) }
                // Ignores cancellation, like a statement that has been sent.
                try await Task { try await gate.wait() }.value
                return try #require(slice)
            }
        }
    }

    @Test("One call to the bucket serves all waiting tasks, which are let through in order")
    func oneQuestion() async throws {
        let source = Source(rate: 100, burst: 100, clock)
        let tasks = line(12, source.limiter)
        source.gate.signal(1_000)
        for task in tasks { try await task.value }
        #expect(source.requests.current.map(\.count) == [3, 9])
        #expect(passed.current == Array(0..<12))
    }

    @Test("Tokens for a cancelled task, or after a deadline, go to the next one in the queue")
    func passedOn() async throws {
        let source = Source(clock)
        let tasks = line(2, source.limiter)
        tasks[0].cancel()
        source.gate.signal(1_000)
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        try await tasks[1].value
        #expect(source.requests.current.count == 1)
        let late = Source(clock)
        let deadline = clock.now.advanced(by: .milliseconds(20))
        let asking = Task.waiting { try await late.limiter.acquire(before: deadline) }
        clock.advance(by: .milliseconds(20))
        late.gate.signal(1_000)
        #expect(try await !asking.value)
        #expect(try await late.limiter.acquire())
        #expect(late.requests.current.count == 1)
    }
}
