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
    private func second(
        _ limiter: RateLimiter<ManualClock>
    ) async throws -> Task<Bool, any Error> {
        try await limiter.acquire()
        let second = Task { try await limiter.acquire() }
        await clock.sleepers(1)
        return second
    }

    /// Tasks that wait in this order; the first of them sleeps, or is at the source.
    private func line(
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
            while limiter.waiting < number { await Task.yield() }
        }
        return tasks
    }

    @Test("A burst is let through at once; then tasks go in order, and only the first sleeps")
    func order() async throws {
        let limiter = limiter(burst: 50)
        for _ in 1...50 { try await limiter.acquire() }
        #expect(clock.deadlines.isEmpty)
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

    @Test("Nothing is let through in a pause of any length, and a shorter one does not change it")
    func pauses() async throws {
        let limiter = limiter()
        #expect(limiter.pause(for: .seconds(90)))
        #expect(!limiter.pause(for: .seconds(30)))
        async let first = limiter.acquire()
        await clock.sleepers(1)
        clock.advance(by: .seconds(60))
        await clock.wake(at: .seconds(90))
        #expect(try await first)
        #expect(limiter.pause(for: .seconds(Int64.max)))
        let deadline = clock.now.advanced(by: .seconds(1))
        async let last = limiter.acquire(before: deadline)
        await clock.wake(at: .seconds(91))
        #expect(try await !last)
    }

    @Test("The rate may be halved while the first task sleeps, and recovers later")
    func adapts() async throws {
        let limiter = limiter()
        let second = try await second(limiter)
        #expect(limiter.note(.throttled) == .halved(5))
        clock.advance(by: .milliseconds(100))
        // The first task lacked half a token, which now takes 100 ms, and less later.
        await clock.sleepers(1)
        let due = try #require(clock.deadlines.first?.sinceStart)
        #expect(due > .milliseconds(190) && due < .milliseconds(200))
        clock.advance(by: .milliseconds(100))
        #expect(try await second.value)
        clock.advance(by: .seconds(10))
        #expect(limiter.note(.sound) == .restored(10))
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
    func cancelled(number: Int) async throws {
        let limiter = limiter(rate: 1)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await limiter.acquire()
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        try await limiter.acquire()
        #expect(clock.deadlines.isEmpty)
        var tasks = await line(3, limiter, first: await clock.sleepers(1))
        let cancelled = tasks.remove(at: number)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        for (second, task) in zip(1..., tasks) {
            await clock.wake(at: .seconds(second))
            try await task.value
        }
    }

    // MARK: A limiter whose tokens come from a remote bucket

    /// A bucket that records requests, and answers once it is opened.
    private final class Source: Sendable {
        let requests = Shared<[TokenRequest]>([])
        let isOpen: Shared<Bool>
        let failure = Shared<Failure?>(nil)
        private let bucket: Shared<SimulatedBucket>
        private let clock: ManualClock

        init(rate: Double, burst: Int, isOpen: Bool, clock: ManualClock) {
            bucket = Shared(SimulatedBucket(rate: rate, burst: burst))
            self.isOpen = Shared(isOpen)
            self.clock = clock
        }

        /// Ignores cancellation, like a statement that has been sent.
        func slice(for request: TokenRequest) async throws -> TokenSlice {
            requests.update { $0.append(request) }
            let now = clock.now.sinceStart
            var slice: TokenSlice?
            bucket.update { slice = $0.slice(for: request, at: now) }
            while !isOpen.current { await Task.yield() }
            if let failure = failure.current { throw failure }
            return try #require(slice)
        }

        func asked(_ count: Int) async {
            while requests.current.count < count { await Task.yield() }
        }

        func open() { isOpen.update { $0 = true } }
    }

    private struct Failure: Error {}

    private func remote(
        rate: Double = 10, burst: Int = 1, isOpen: Bool = true
    ) -> (limiter: RateLimiter<ManualClock>, source: Source) {
        let source = Source(rate: rate, burst: burst, isOpen: isOpen, clock: clock)
        return (RateLimiter(rate: rate, clock: clock) { try await source.slice(for: $0) }, source)
    }

    @Test("One call to the bucket serves all waiting tasks, which are let through in order")
    func oneQuestion() async throws {
        let (limiter, source) = remote(rate: 100, burst: 100, isOpen: false)
        let passed = Shared<[Int]>([])
        let tasks = await line(12, limiter, first: await source.asked(1)) { number in
            passed.update { $0.append(number) }
        }
        source.open()
        for task in tasks { try await task.value }
        #expect(source.requests.current.map(\.count) == [3, 9])
        #expect(passed.current == Array(0..<12))
    }

    @Test("Tokens for a cancelled task, or after a deadline, go to the next one in the queue")
    func passedOn() async throws {
        let (limiter, source) = remote(isOpen: false)
        let tasks = await line(2, limiter, first: await source.asked(1))
        tasks[0].cancel()
        source.open()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        try await tasks[1].value
        #expect(source.requests.current.count == 1)

        let (other, late) = remote(isOpen: false)
        let deadline = clock.now.advanced(by: .milliseconds(20))
        let asking = Task { try await other.acquire(before: deadline) }
        await late.asked(1)
        clock.advance(by: .milliseconds(20))
        late.open()
        #expect(try await !asking.value)
        #expect(try await other.acquire())
        #expect(late.requests.current.count == 1)
    }

    @Test("An error of the bucket goes to the task that asked, and the next one asks again")
    func failingSource() async throws {
        let (limiter, source) = remote(burst: 2)
        source.failure.update { $0 = Failure() }
        await #expect(throws: Failure.self) { try await limiter.acquire() }
        source.failure.update { $0 = nil }
        #expect(try await limiter.acquire())
        #expect(limiter.waiting == 0)
    }

    @Test(
        "When the rate is halved tokens in hand and on their way are forfeited, and less is asked")
    func forfeits() async throws {
        let (limiter, source) = remote()
        let second = try await second(limiter)
        await clock.expectSleep(until: .milliseconds(100))
        #expect(limiter.note(.throttled) == .halved(5))
        clock.advance(by: .milliseconds(100))
        await source.asked(3)
        await clock.wake(at: .milliseconds(200))
        #expect(try await second.value)
        let shares = source.requests.current.map(\.share)
        #expect(shares.prefix(2) == [1, 1])
        #expect(shares[2] > 0.5 && shares[2] < 0.51)

        let (other, closed) = remote(burst: 5, isOpen: false)
        let asking = Task { try await other.acquire() }
        await closed.asked(1)
        #expect(other.note(.throttled) == .halved(5))
        closed.open()
        #expect(try await asking.value)
        #expect(closed.requests.current.map(\.share) == [1, 0.5])
    }

    @Test("During a pause no token is requested, and tokens that fell due in it are not used")
    func pauseInHand() async throws {
        let (limiter, source) = remote()
        let second = try await second(limiter)
        limiter.pause(for: .seconds(90))
        clock.advance(by: .milliseconds(100))
        await clock.expectSleep(until: .seconds(90))
        #expect(source.requests.current.count == 2)
        clock.advanceToNext()
        #expect(try await second.value)
        #expect(source.requests.current.count == 3)
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
        #expect(served.current >= 266 && limiter.waiting == 0)
        try await limiter.acquire()
    }
}
