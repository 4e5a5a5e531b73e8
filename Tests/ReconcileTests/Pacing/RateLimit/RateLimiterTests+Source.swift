import Testing

@testable import Reconcile
@testable import TestSupport

// A limiter whose tokens come from a remote bucket.
extension RateLimiterTests {
    /// A bucket that records requests, and answers once it is opened.
    private final class Source: Sendable {
        let requests = Shared<[TokenRequest]>([])
        let isOpen = Shared(true)
        let failure = Shared<Failure?>(nil)
        private let bucket: Shared<SimulatedBucket>
        private let clock: ManualClock

        init(rate: Double, burst: Int, clock: ManualClock) {
            bucket = Shared(SimulatedBucket(rate: rate, burst: burst))
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
    }

    private struct Failure: Error {}

    private func limiter(
        rate: Double = 10, burst: Int = 1, isOpen: Bool = true
    ) -> (limiter: RateLimiter<ManualClock>, source: Source) {
        let source = Source(rate: rate, burst: burst, clock: clock)
        source.isOpen.update { $0 = isOpen }
        let limiter = RateLimiter(rate: rate, clock: clock) { try await source.slice(for: $0) }
        return (limiter, source)
    }

    @Test("One call to the bucket serves all waiting tasks, which are let through in order")
    func oneQuestion() async throws {
        let (limiter, source) = limiter(rate: 100, burst: 100, isOpen: false)
        let passed = Shared<[Int]>([])
        let tasks = await line(12, limiter, first: await source.asked(1)) { number in
            passed.update { $0.append(number) }
        }
        source.isOpen.update { $0 = true }
        for task in tasks { try await task.value }
        #expect(source.requests.current.map(\.count) == [3, 9])
        #expect(passed.current == Array(0..<12))
    }

    @Test("If the task that asked is cancelled, its tokens go to the next one in the queue")
    func cancelledAsking() async throws {
        let (limiter, source) = limiter(isOpen: false)
        let tasks = await line(2, limiter, first: await source.asked(1))
        tasks[0].cancel()
        source.isOpen.update { $0 = true }
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        try await tasks[1].value
        #expect(source.requests.current.count == 1)
    }

    @Test("Tokens that arrive after a task's deadline go to the next one in the queue")
    func lateAnswer() async throws {
        let (limiter, source) = limiter(isOpen: false)
        let deadline = clock.now.advanced(by: .milliseconds(20))
        let asking = Task { try await limiter.acquire(before: deadline) }
        await source.asked(1)
        clock.advance(by: .milliseconds(20))
        source.isOpen.update { $0 = true }
        #expect(try await !asking.value)
        #expect(try await limiter.acquire())
        #expect(source.requests.current.count == 1)
    }

    @Test("An error of the bucket goes to the task that asked, and the next one asks again")
    func failingSource() async throws {
        let (limiter, source) = limiter(burst: 2)
        source.failure.update { $0 = Failure() }
        await #expect(throws: Failure.self) { try await limiter.acquire() }
        source.failure.update { $0 = nil }
        #expect(try await limiter.acquire())
        #expect(await limiter.waiting == 0)
    }

    @Test("When the rate is halved the token in hand is forfeited, and the next call asks for less")
    func forfeitsInHand() async throws {
        let (limiter, source) = limiter()
        let second = try await second(limiter)
        await clock.expectSleep(until: .milliseconds(100))
        #expect(await limiter.note(.throttled) == .halved(5))
        clock.advance(by: .milliseconds(100))
        await source.asked(3)
        await clock.wake(at: .milliseconds(200))
        #expect(try await second.value)
        let shares = source.requests.current.map(\.share)
        #expect(shares.prefix(2) == [1, 1])
        #expect(shares[2] > 0.5 && shares[2] < 0.51)
    }

    @Test("Tokens that were requested before the rate was halved are forfeited")
    func forfeitsOnItsWay() async throws {
        let (limiter, source) = limiter(burst: 5, isOpen: false)
        let asking = Task { try await limiter.acquire() }
        await source.asked(1)
        #expect(await limiter.note(.throttled) == .halved(5))
        source.isOpen.update { $0 = true }
        #expect(try await asking.value)
        #expect(source.requests.current.map(\.share) == [1, 0.5])
    }

    @Test("During a pause no token is requested, and tokens that fell due in it are not used")
    func pauseInHand() async throws {
        let (limiter, source) = limiter()
        let second = try await second(limiter)
        await limiter.pause(for: .seconds(90))
        clock.advance(by: .milliseconds(100))
        await clock.expectSleep(until: .seconds(90))
        #expect(source.requests.current.count == 2)
        clock.advanceToNext()
        #expect(try await second.value)
        #expect(source.requests.current.count == 3)
    }
}
