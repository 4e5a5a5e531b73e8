import Testing

@testable import Reconcile
@testable import TestSupport

// Where its tokens come from a bucket elsewhere.
extension RateLimiterTests {
    /// A bucket that tells what it is asked for, and answers when it is open.
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

        /// Does not notice a cancellation, as a statement that is on its way.
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
        rate: Double, burst: Int
    ) -> (limiter: RateLimiter<ManualClock>, source: Source) {
        let source = Source(rate: rate, burst: burst, clock: clock)
        let limiter = RateLimiter(rate: rate, clock: clock) { try await source.slice(for: $0) }
        return (limiter, source)
    }

    @Test("asks once for all who wait, who are let through in their order")
    func oneQuestion() async throws {
        let (limiter, source) = limiter(rate: 100, burst: 100)
        source.isOpen.update { $0 = false }
        let passed = Shared<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<12 {
            tasks.append(
                Task {
                    try await limiter.acquire()
                    passed.update { $0.append(number) }
                })
            if number == 0 { await source.asked(1) } else { await line(of: number, limiter) }
        }
        source.isOpen.update { $0 = true }
        for task in tasks { try await task.value }
        #expect(source.requests.current.map(\.count) == [3, 9])
        #expect(passed.current == Array(0..<12))
    }

    @Test("leaves a slice to the next in line when the one who asked for it is cancelled")
    func cancelledAsking() async throws {
        let (limiter, source) = limiter(rate: 10, burst: 1)
        source.isOpen.update { $0 = false }
        let asking = Task { try await limiter.acquire() }
        await source.asked(1)
        let next = Task { try await limiter.acquire() }
        await line(of: 1, limiter)
        asking.cancel()
        source.isOpen.update { $0 = true }
        await #expect(throws: CancellationError.self) { _ = try await asking.value }
        #expect(try await next.value)
        #expect(source.requests.current.count == 1)
    }

    @Test("leaves a slice to the next in line when it came after the deadline")
    func lateAnswer() async throws {
        let (limiter, source) = limiter(rate: 10, burst: 1)
        source.isOpen.update { $0 = false }
        let deadline = clock.now.advanced(by: .milliseconds(20))
        let asking = Task { try await limiter.acquire(before: deadline) }
        await source.asked(1)
        clock.advance(by: .milliseconds(20))
        source.isOpen.update { $0 = true }
        #expect(try await !asking.value)
        #expect(try await limiter.acquire())
        #expect(source.requests.current.count == 1)
    }

    @Test("throws what the source throws to the one who asked, and asks anew for the next")
    func failingSource() async throws {
        let (limiter, source) = limiter(rate: 10, burst: 2)
        source.failure.update { $0 = Failure() }
        await #expect(throws: Failure.self) { try await limiter.acquire() }
        source.failure.update { $0 = nil }
        #expect(try await limiter.acquire())
        #expect(await limiter.waiting == 0)
    }

    @Test("forfeits the token in hand when the rate is halved, and asks at the halved rate")
    func forfeitsInHand() async throws {
        let (limiter, source) = limiter(rate: 10, burst: 1)
        try await limiter.acquire()
        let second = Task { try await limiter.acquire() }
        await clock.sleepers(1)
        #expect(clock.deadlines.map(\.sinceStart) == [.milliseconds(100)])
        #expect(await limiter.note(.throttled) == .halved(5))
        clock.advance(by: .milliseconds(100))
        await source.asked(3)
        await clock.sleepers(1)
        #expect(clock.deadlines.map(\.sinceStart) == [.milliseconds(200)])
        clock.advance(by: .milliseconds(100))
        #expect(try await second.value)
        let shares = source.requests.current.map(\.share)
        #expect(shares.prefix(2) == [1, 1])
        #expect(shares[2] > 0.5 && shares[2] < 0.51)
    }

    @Test("forfeits a slice that was asked for before the rate was halved")
    func forfeitsOnItsWay() async throws {
        let (limiter, source) = limiter(rate: 10, burst: 5)
        source.isOpen.update { $0 = false }
        let asking = Task { try await limiter.acquire() }
        await source.asked(1)
        #expect(await limiter.note(.throttled) == .halved(5))
        source.isOpen.update { $0 = true }
        #expect(try await asking.value)
        #expect(source.requests.current.map(\.share) == [1, 0.5])
    }

    @Test("asks for no token during a pause, and uses none that fell due in it")
    func pauseInHand() async throws {
        let (limiter, source) = limiter(rate: 10, burst: 1)
        try await limiter.acquire()
        let second = Task { try await limiter.acquire() }
        await clock.sleepers(1)
        await limiter.pause(for: .seconds(90))
        clock.advance(by: .milliseconds(100))
        await clock.sleepers(1)
        #expect(clock.deadlines.map(\.sinceStart) == [.seconds(90)])
        #expect(source.requests.current.count == 2)
        clock.advance(by: .milliseconds(89_900))
        #expect(try await second.value)
        #expect(source.requests.current.count == 3)
    }
}
