import Testing

@testable import Reconcile
@testable import TestSupport

extension RateLimiterTests {
    @Test("At most burst + rate · w requests start in w seconds", arguments: UInt64(1)...10)
    func law(seed: UInt64) {
        var workers = shared(
            .init(
                rate: 100, burst: 50, seed: seed, workers: 3, callers: Int(seed) * 4,
                delay: .milliseconds(30), lateness: .milliseconds(5), wire: .milliseconds(10),
                stops: 0.03, rests: true, throttled: 0.001))
        workers.run(until: .seconds(60))
        #expect(workers.starts.count > 4_000)
        #expect(workers.mostOver <= 1e-6)
    }

    @Test(
        "At most burst + rate · w tokens of an in-memory bucket are used in w seconds",
        arguments: [
            (10, 10), (3, 1), (0.5, 2), (1_000.0 / 7, 20), (7, 5), (0.3, 2), (9_999.9, 16),
        ] as [(rate: Double, burst: Int)], UInt64(1)...3)
    func lawInMemory(limits: (rate: Double, burst: Int), seed: UInt64) {
        var workers = inMemory(
            .init(
                rate: limits.rate, burst: limits.burst, seed: seed, lateness: .milliseconds(20),
                stops: 0.01, rests: true, throttled: 0.01))
        workers.run(until: .seconds(1_500 / limits.rate))
        #expect(workers.starts.count > 100)
        #expect(workers.mostOver <= 1e-6)
    }

    /// With one waiting caller the limiter chooses the size of a slice.
    @Test(
        "99 % of the rate is reached with at most 40 calls to the bucket a second",
        arguments: [
            (0.01, 1, 1), (0.3, 1, 1), (0.3, 1, 3), (1, 1, 1), (10, 1, 2), (10, 10, 1),
            (45, 45, 1), (200, 200, 2), (3_000, 3_000, 1), (20_000, 20_000, 1),
        ] as [(rate: Double, burst: Int, workers: Int)], [1, 16])
    func throughput(of job: (rate: Double, burst: Int, workers: Int), callers: Int) {
        let rate = job.rate
        var workers = shared(
            .init(rate: rate, burst: job.burst, workers: job.workers, callers: callers))
        let steady = Duration.seconds(2 + 2 / rate)
        let seconds = max(3, 200 / rate)
        workers.run(until: steady + .seconds(seconds))
        #expect(Double(workers.starts.count { $0 >= steady }) >= 0.99 * rate * seconds - 1)
        for questions in workers.questions {
            #expect(Double(questions.count { $0 >= steady }) <= 40 * seconds + 1)
        }
    }

    @Test(
        "The halved rate is in force within 250 ms of an HTTP 429, and 99 % are reached later",
        arguments: [(rate: 100, burst: 100), (10, 10), (10, 1), (1, 1), (0.3, 1), (3_000, 300)])
    func halving(rate: Double, burst: Int) {
        let conditions = SimulatedWorkers.Conditions(rate: rate, burst: burst)
        for var workers in [inMemory(conditions), shared(conditions)] {
            let start = Duration.seconds(200 / rate) + .milliseconds(7)
            workers.run(until: start)
            workers.note(.throttled, worker: 0)
            workers.run(until: start + .seconds(5))
            // A twentieth recovers each second: within 5 s half the rate becomes three quarters.
            let allowed = 1 + rate * (4.75 * 0.5 + 0.05 * 5 * 5 / 2)
            #expect(Double(workers.starts.count { $0 > start + .milliseconds(250) }) <= allowed)
            workers.run(until: start + .seconds(60 + 20 / rate))
            let end = workers.now
            workers.run(until: end + .seconds(1_000 / rate))
            #expect(workers.starts.count { $0 > end } >= 989)
        }
    }

    @Test(
        "One call asks for at most a quarter of a second's tokens, at the current rate",
        arguments: [
            (rate: 10_000, callers: 1, expected: 250, halved: 125),
            (10_000, 5_000, 2_500, 1_250), (10_000, 100, 250, 125),
            (100, 16, 16, 12), (100, 1, 3, 2), (100, 999, 25, 12), (9, 16, 2, 1), (3, 16, 1, 1),
            (0.1, 16, 1, 1), (1e9, 1, 1_000_000, 1_000_000),
        ])
    func count(rate: Double, callers: Int, expected: Int, halved: Int) {
        var limit = RateLimit(rate: rate)
        let whole = TokenRequest(count: expected, lead: .zero, share: 1)
        #expect(limit.step(at: .seconds(1), callers: callers) == .ask(whole))
        #expect(limit.note(.throttled, at: .seconds(1)) == .halved(rate / 2))
        let half = TokenRequest(count: halved, lead: .zero, share: 0.5)
        #expect(limit.step(at: .seconds(1), callers: callers) == .ask(half))
    }

    /// Workers that share a bucket with the settings' shared burst, whose clock is an hour ahead.
    private func shared(_ conditions: SimulatedWorkers.Conditions) -> SimulatedWorkers {
        var settings = ValidationSettings()
        settings.burst = conditions.burst
        settings.rate = conditions.rate
        let burst = settings.sharedBurst(of: .production)
        var bucket = SimulatedBucket(rate: conditions.rate, burst: burst)
        return SimulatedWorkers(conditions) { bucket.slice(for: $0, at: $1 + .seconds(3_600)) }
    }

    /// A worker with an in-memory bucket, which answers at once. The simulation moves its clock.
    private func inMemory(_ conditions: SimulatedWorkers.Conditions) -> SimulatedWorkers {
        let clock = ManualClock()
        let bucket = LocalBucket(rate: conditions.rate, burst: conditions.burst, clock: clock)
        var conditions = conditions
        conditions.delay = .zero
        return SimulatedWorkers(conditions) { request, now in
            clock.advance(by: now - clock.now.sinceStart)
            return bucket.slice(for: request)
        }
    }
}

/// The statement `take_tokens` as a value. It is full at first.
struct SimulatedBucket: Sendable {
    let rate: Double
    let burst: Int
    private(set) var nextAt = Duration.seconds(-1_000_000)

    mutating func slice(for request: TokenRequest, at now: Duration) -> TokenSlice {
        let clock = now + request.lead
        let apart = Duration.seconds(1 / (rate * request.share))
        let first = max(nextAt, clock - .seconds(Double(burst - 1) / rate))
        nextAt = first + apart * request.count
        return .init(takenAt: now, firstDue: first - clock, apart: apart, count: request.count)
    }
}

/// Workers that want to start requests all the time, in simulated time.
struct SimulatedWorkers {
    struct Conditions {
        var rate: Double
        var burst: Int
        var seed: UInt64 = 1
        var workers = 1
        /// Waiting callers of each worker.
        var callers = 16
        /// The longest response time of the bucket, delay of a timer, time from token to wire.
        var delay = Duration.milliseconds(4)
        var lateness = Duration.milliseconds(1)
        var wire = Duration.zero
        /// The chance of a stop after each step: of up to 60 ms, and one in ten of up to 3 s.
        var stops = 0.0
        /// In the last second of every five no request is wanted, so that the bucket fills.
        var rests = false
        var throttled = 0.0
    }

    private struct Worker {
        var limit: RateLimit
        /// How far the worker's clock is ahead of the simulation's.
        let offset: Duration
        var question: (request: TokenRequest, at: Duration, due: Duration, answer: TokenSlice?)?
        var nextAt = Duration.zero
    }

    private let conditions: Conditions
    private let take: (TokenRequest, Duration) -> TokenSlice
    private var generator: SeededGenerator
    private var workers: [Worker]
    private(set) var now = Duration.zero
    private(set) var starts: [Duration] = []
    private(set) var questions: [[Duration]]

    init(_ conditions: Conditions, take: @escaping (TokenRequest, Duration) -> TokenSlice) {
        self.conditions = conditions
        self.take = take
        generator = SeededGenerator(conditions.seed)
        questions = Array(repeating: [], count: conditions.workers)
        workers = (0..<conditions.workers).map { number in
            Worker(limit: RateLimit(rate: conditions.rate), offset: .milliseconds(number * 1_234))
        }
    }

    mutating func note(_ answer: AnswerClass, worker number: Int) {
        _ = workers[number].limit.note(answer, at: now + workers[number].offset)
    }

    mutating func run(until end: Duration) {
        while let next = workers.indices.min(by: { workers[$0].nextAt < workers[$1].nextAt }),
            workers[next].nextAt <= end
        {
            now = workers[next].nextAt
            workers[next].nextAt = nextTime(of: next, at: now + workers[next].offset)
        }
        now = end
    }

    /// Does what is due, and returns when the worker continues.
    private mutating func nextTime(of number: Int, at local: Duration) -> Duration {
        guard let asked = workers[number].question else { return step(number, at: local) }
        guard let answer = asked.answer else {
            workers[number].question?.answer = take(asked.request, now)
            return asked.due
        }
        workers[number].limit.add(answer, for: asked.request, askedAt: asked.at, arrivedAt: local)
        workers[number].question = nil
        // An in-memory bucket answers at once: the caller continues in the same step.
        return conditions.delay > .zero ? now + stop() : now
    }

    private mutating func step(_ number: Int, at local: Duration) -> Duration {
        let phase = now - .seconds(5) * Int(now / .seconds(5))
        if conditions.rests, phase >= .seconds(4) { return now + .seconds(5) - phase + stop() }
        switch workers[number].limit.step(at: local, callers: conditions.callers) {
        case .go:
            starts.append(now + random(conditions.wire))
            if hits(conditions.throttled) { note(.throttled, worker: number) }
            return now + stop()
        case .wait(let wait): return now + wait + random(conditions.lateness) + stop()
        case .ask(let request):
            questions[number].append(now)
            let delay = random(conditions.delay)
            workers[number].question = (request, local, now + delay, nil)
            return now + random(delay)
        }
    }

    private mutating func hits(_ chance: Double) -> Bool {
        chance > 0 && Double.random(in: 0..<1, using: &generator) < chance
    }

    private mutating func random(_ most: Duration) -> Duration {
        most > .zero ? most * Double.random(in: 0...1, using: &generator) : .zero
    }

    private mutating func stop() -> Duration {
        hits(conditions.stops) ? random(hits(0.1) ? .seconds(3) : .milliseconds(60)) : .zero
    }

    /// The most starts over `burst + rate * w` in any window of w seconds; below zero if none.
    var mostOver: Double {
        var worst = -Double.infinity
        var least = Double.infinity
        for (index, time) in starts.sorted().enumerated() {
            let ahead = Double(index) - conditions.rate * (time / .seconds(1))
            least = min(least, ahead)
            worst = max(worst, ahead - least + 1 - Double(conditions.burst))
        }
        return worst
    }
}
