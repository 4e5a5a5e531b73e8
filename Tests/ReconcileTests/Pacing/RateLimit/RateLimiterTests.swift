import Testing

@testable import Reconcile
@testable import TestSupport

/// `PaceTests` show pauses, restored rates and errors of the bucket.
@Suite("A rate limiter", .timeLimit(.minutes(10)))
struct RateLimiterTests {
    private typealias Limiter = RateLimiter<ManualClock>

    private let clock = ManualClock()

    private func limiter(rate: Double = 10, burst: Int = 1) -> Limiter {
        RateLimiter(rate: rate, burst: burst, clock: clock)
    }

    /// Tasks that wait in this order. They note their numbers when they are let through.
    private func line(
        _ count: Int, _ limiter: Limiter, _ passed: Shared<[Int]> = Shared([])
    ) -> [Task<Void, any Error>] {
        (0..<count).map { number in
            .waiting {
                try await limiter.acquire()
                passed.update { $0.append(number) }
            }
        }
    }

    @Test("A burst is let through at once; then tasks go in order, and only the first sleeps")
    func order() async throws {
        let limiter = limiter(burst: 50)
        for _ in 1...50 { try await limiter.acquire() }
        #expect(clock.deadlines.isEmpty)
        let passed = Shared<[Int]>([])
        for (number, task) in line(4, limiter, passed).enumerated() {
            await clock.wake(at: .milliseconds(100 * (number + 1)))
            try await task.value
            #expect(passed.current == Array(0...number))
        }
    }

    @Test("A task that would wait beyond its deadline is refused, and so are those behind it")
    func deadline() async throws {
        let limiter = limiter(rate: 0.1)
        let deadline = clock.now.advanced(by: .seconds(2))
        #expect(try await limiter.acquire(before: deadline))
        let tasks = (1...2).map { _ in
            Task.waiting { try await limiter.acquire(before: deadline) }
        }
        clock.advance(by: .seconds(2))
        for task in tasks { #expect(try await !task.value) }
        clock.advance(by: .seconds(8))
        #expect(try await limiter.acquire())
    }

    @Test("A cancelled task takes no token and delays no other", arguments: [0, 1])
    func cancelled(number: Int) async throws {
        let limiter = limiter(rate: 1)
        await expectNone { try await limiter.acquire() }
        try await limiter.acquire()
        #expect(clock.deadlines.isEmpty)
        var tasks = line(3, limiter)
        await expectCancelled(tasks.remove(at: number))
        for (second, task) in zip(1..., tasks) {
            await clock.wake(at: .seconds(second))
            try await task.value
        }
    }

    // MARK: A limiter whose tokens come from a remote bucket

    /// A bucket that records requests, and answers once it is opened.
    private struct Source: Sendable {
        let limiter: Limiter
        let requests = Shared<[TokenRequest]>([])
        private let gate = Semaphore(permits: 0)

        init(rate: Double = 10, burst: Int = 1, isOpen: Bool = true, _ clock: ManualClock) {
            let bucket = Shared(SimulatedBucket(rate: rate, burst: burst))
            limiter = RateLimiter(rate: rate, clock: clock) { [requests, gate] request in
                requests.update { $0.append(request) }
                var slice: TokenSlice?
                bucket.update { slice = $0.slice(for: request, at: clock.now.sinceStart) }
                // Ignores cancellation, like a statement that has been sent.
                try await Task { try await gate.wait() }.value
                return try #require(slice)
            }
            if isOpen { open() }
        }

        func open() { gate.signal(1_000) }

        /// A task that waits for the second token, after the first was taken.
        func second() async throws -> Task<Bool, any Error> {
            try await limiter.acquire()
            return .waiting { [limiter] in try await limiter.acquire() }
        }
    }

    @Test("One call to the bucket serves all waiting tasks, which are let through in order")
    func oneQuestion() async throws {
        let source = Source(rate: 100, burst: 100, isOpen: false, clock)
        let passed = Shared<[Int]>([])
        let tasks = line(12, source.limiter, passed)
        source.open()
        for task in tasks { try await task.value }
        #expect(source.requests.current.map(\.count) == [3, 9])
        #expect(passed.current == Array(0..<12))
    }

    @Test("Tokens for a cancelled task, or after a deadline, go to the next one in the queue")
    func passedOn() async throws {
        let source = Source(isOpen: false, clock)
        let tasks = line(2, source.limiter)
        tasks[0].cancel()
        source.open()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        try await tasks[1].value
        #expect(source.requests.current.count == 1)

        let late = Source(isOpen: false, clock)
        let deadline = clock.now.advanced(by: .milliseconds(20))
        let asking = Task.waiting { try await late.limiter.acquire(before: deadline) }
        clock.advance(by: .milliseconds(20))
        late.open()
        #expect(try await !asking.value)
        #expect(try await late.limiter.acquire())
        #expect(late.requests.current.count == 1)
    }

    @Test("A halved rate forfeits tokens in hand and on their way, and less is asked")
    func forfeits() async throws {
        let source = Source(clock)
        let second = try await source.second()
        await clock.sleepers(1)
        #expect(source.limiter.note(.throttled) == .halved(5))
        await clock.wake(at: .milliseconds(100))
        await clock.wake(at: .milliseconds(200))
        #expect(try await second.value)
        let shares = source.requests.current.map(\.share)
        #expect(shares.prefix(2) == [1, 1])
        #expect(shares[2] > 0.5 && shares[2] < 0.51)

        let closed = Source(burst: 5, isOpen: false, clock)
        let asking = Task.waiting { try await closed.limiter.acquire() }
        #expect(closed.limiter.note(.throttled) == .halved(5))
        closed.open()
        #expect(try await asking.value)
        #expect(closed.requests.current.map(\.share) == [1, 0.5])
    }

    @Test("During a pause no token is requested, and tokens that fell due in it are not used")
    func pauseInHand() async throws {
        let source = Source(clock)
        let second = try await source.second()
        await clock.sleepers(1)
        source.limiter.pause(for: .seconds(90))
        await clock.wake(at: .milliseconds(100))
        await clock.sleepers(1)
        #expect(source.requests.current.count == 2)
        await clock.wake(at: .seconds(90))
        #expect(try await second.value)
        #expect(source.requests.current.count == 3)

        // A pause may be of any length.
        source.limiter.pause(for: .seconds(Int64.max))
        async let late = source.limiter.acquire(before: clock.now.advanced(by: .seconds(1)))
        await clock.wake(at: .seconds(91))
        #expect(try await !late)
    }

    @Test("A crowd of tasks is served although some are cancelled")
    func crowd() async throws {
        let limiter = RateLimiter(rate: 20_000, burst: 5, clock: ContinuousClock())
        let served = Shared(0)
        try await forEach(in: Array(0..<400), atMost: 400) { number in
            let task = Task { _ = try await limiter.acquire() }
            if number % 3 == 0 { task.cancel() }
            if (try? await task.value) != nil { served.update { $0 += 1 } }
        }
        #expect(served.current >= 266 && limiter.waiting == 0)
        try await limiter.acquire()
    }
}
