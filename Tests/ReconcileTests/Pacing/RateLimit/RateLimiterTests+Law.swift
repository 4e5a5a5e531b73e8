import Testing

@testable import Reconcile

// The number of started requests over all workers.
extension RateLimiterTests {
    @Test(
        "At most burst + rate · w requests start in w seconds, whatever happens to workers",
        arguments: 1...10 as ClosedRange<UInt64>)
    func law(seed: UInt64) {
        var settings = ValidationSettings()
        settings.burst = 50
        let bucket = SimulatedBucket(rate: 100, burst: settings.sharedBurst(rate: 100))
        var workers = SimulatedWorkers(
            sharing: bucket, workers: 3, callers: Int(seed) * 4, seed: seed
        ) {
            $0.delay = .milliseconds(30)
            $0.lateness = .milliseconds(5)
            $0.wire = .milliseconds(10)
            ($0.stops, $0.rests, $0.throttled) = (0.03, true, 0.001)
        }
        workers.run(until: .seconds(60))
        #expect(workers.starts.count > 4_000)
        #expect(workers.starts.mostOver(rate: 100, burst: 50) <= 1e-6)
    }

    @Test(
        "At most burst + rate · w tokens of an in-memory bucket are used in w seconds",
        arguments: [
            (10, 10), (3, 1), (0.5, 2), (1_000.0 / 7, 20), (7, 5), (0.3, 2), (9_999.9, 16),
        ] as [(Double, Int)])
    func lawInMemory(rate: Double, burst: Int) {
        var workers = inMemory(rate: rate, burst: burst) {
            $0.lateness = .milliseconds(20)
            ($0.stops, $0.rests, $0.throttled) = (0.01, true, 0.01)
        }
        workers.run(until: .seconds(1_500 / rate))
        #expect(workers.starts.count > 200)
        #expect(workers.starts.mostOver(rate: rate, burst: burst) <= 1e-6)
    }

    @Test(
        "99 % of the rate is reached with at most 40 calls to the bucket a second",
        arguments: [
            (0.01, 1, 1), (0.3, 1, 1), (0.3, 1, 3), (1, 1, 1), (10, 1, 2), (10, 10, 1),
            (45, 45, 1), (200, 200, 2), (3_000, 3_000, 1), (20_000, 20_000, 1),
        ] as [(Double, Int, Int)])
    func throughput(rate: Double, burst: Int, workers count: Int) {
        var settings = ValidationSettings()
        settings.burst = burst
        let bucket = SimulatedBucket(rate: rate, burst: settings.sharedBurst(rate: rate))
        // With one waiting caller the limiter chooses the size of a slice.
        for callers in [1, 16] {
            var workers = SimulatedWorkers(sharing: bucket, workers: count, callers: callers)
            let steady = Duration.seconds(2 + 2 / rate)
            let span = Duration.seconds(max(3, 200 / rate))
            workers.run(until: steady + span)
            let starts = workers.starts.count { $0 >= steady }
            #expect(Double(starts) >= 0.99 * rate * (span / .seconds(1)) - 1)
            for questions in workers.questions {
                let asked = questions.count { $0 >= steady }
                #expect(Double(asked) <= 40 * (span / .seconds(1)) + 1)
            }
        }
    }

    @Test(
        "The halved rate is in force within 250 ms of an HTTP 429, and 99 % are reached later",
        arguments: [
            (100, 100), (10, 10), (10, 1), (1, 1), (0.3, 1), (3_000, 300),
        ] as [(Double, Int)])
    func halving(rate: Double, burst: Int) {
        let local = inMemory(rate: rate, burst: burst)
        let shared = SimulatedWorkers(sharing: SimulatedBucket(rate: rate, burst: burst))
        for var workers in [local, shared] {
            let start = Duration.seconds(200 / rate) + .milliseconds(7)
            workers.run(until: start)
            workers.note(.throttled, worker: 0)
            workers.run(until: start + .seconds(5))
            let late = start + .milliseconds(250)
            // A twentieth of the rate recovers each second: within 5 s half the rate becomes three
            // quarters.
            let allowed = 1 + rate * (4.75 * 0.5 + 0.05 * 5 * 5 / 2)
            #expect(Double(workers.starts.count { $0 > late }) <= allowed)
            workers.run(until: start + .seconds(60 + 20 / rate))
            let end = workers.now
            workers.run(until: end + .seconds(1_000 / rate))
            #expect(workers.starts.count { $0 > end } >= 989)
        }
    }

    @Test("One worker that reduces its rate slows all workers down")
    func sharedReduction() {
        var workers = SimulatedWorkers(sharing: SimulatedBucket(rate: 100, burst: 10), workers: 2)
        for second in 0..<120 {
            workers.run(until: .seconds(second))
            // The rate is halved repeatedly: down to a tenth, recovering by a quarter in between.
            if second.isMultiple(of: 5) { workers.note(.throttled, worker: 0) }
        }
        let starts = workers.starts.count { $0 > .seconds(60) }
        #expect(starts < 59 * 80)
    }

    @Test(
        "One call asks for at most a quarter of a second's tokens, at the current rate",
        arguments: [
            (10_000, 1, 250), (10_000, 5_000, 2_500), (10_000, 100, 250), (100, 16, 16),
            (100, 1, 3), (100, 999, 25), (9, 16, 2), (3, 16, 1), (0.1, 16, 1), (1e9, 1, 1_000_000),
        ] as [(Double, Int, Int)])
    func count(rate: Double, callers: Int, expected: Int) {
        var limit = RateLimit(rate: rate)
        let whole = TokenRequest(count: expected, lead: .zero, share: 1)
        #expect(limit.step(at: .seconds(1), callers: callers) == .ask(whole))
        #expect(limit.note(.throttled, at: .seconds(1)) == .halved(rate / 2))
        guard case .ask(let reduced) = limit.step(at: .seconds(1), callers: callers) else {
            Issue.record("it does not ask")
            return
        }
        #expect(reduced.share == 0.5)
        #expect(reduced.count <= max(1, Int(min(rate / 8, 1_000_000))))
    }

    /// A worker with an in-memory bucket, whose clock the simulation moves.
    private func inMemory(
        rate: Double, burst: Int, change: (inout SimulatedWorkers.Conditions) -> Void = { _ in }
    ) -> SimulatedWorkers {
        var conditions = SimulatedWorkers.Conditions(delay: .zero)
        change(&conditions)
        let clock = ManualClock()
        let bucket = LocalBucket(rate: rate, burst: burst, clock: clock)
        return SimulatedWorkers(rate: rate, conditions) { request, now in
            clock.advance(by: now - clock.now.sinceStart)
            return bucket.slice(for: request)
        }
    }
}
