@testable import Reconcile
@testable import TestSupport

/// The statement `take_tokens` as a value.
struct SimulatedBucket: Sendable {
    let rate: Double
    let burst: Int
    /// Long ago: the bucket is full.
    private var nextAt = Duration.seconds(-1_000_000)

    init(rate: Double, burst: Int) {
        self.rate = rate
        self.burst = burst
    }

    /// - Parameter now: by the bucket's own clock.
    mutating func slice(for request: TokenRequest, at now: Duration) -> TokenSlice {
        let clock = now + request.lead
        let burstTime = Duration.seconds(Double(burst - 1) / rate)
        let apart = Duration.seconds(1 / (rate * request.share))
        let first = max(nextAt, clock - burstTime)
        nextAt = first + apart * request.count
        return TokenSlice(
            takenAt: now, firstDue: first - clock, apart: apart, count: request.count)
    }
}

/// Workers that want to start requests all the time, in simulated time.
struct SimulatedWorkers {
    struct Conditions {
        var workers = 1
        /// Waiting callers of each worker.
        var callers = 16
        /// The longest response time of the bucket.
        var delay = Duration.milliseconds(4)
        /// The longest delay of a timer.
        var lateness = Duration.milliseconds(1)
        /// The longest time from a token to the wire.
        var wire = Duration.zero
        /// The chance of a stop after each step: of up to 60 ms, and one in ten of up to 3 s.
        var stops = 0.0
        /// In the last second of every five no request is wanted, so that the bucket fills.
        var rests = false
        var throttled = 0.0
    }

    private enum Phase {
        case step
        case asked(TokenRequest, at: Duration, answeredAt: Duration)
        case answered(TokenRequest, at: Duration, TokenSlice)
    }

    private struct Worker {
        var limit: RateLimit
        /// How far the worker's clock is ahead of the simulation's.
        let offset: Duration
        var phase = Phase.step
        var nextAt = Duration.zero
    }

    private let conditions: Conditions
    /// Takes a slice of the bucket at a time of the simulation.
    private let take: (TokenRequest, Duration) -> TokenSlice
    private var generator: SeededGenerator
    private var workers: [Worker]
    private(set) var now = Duration.zero
    private(set) var starts: [Duration] = []
    private(set) var questions: [[Duration]]

    init(
        rate: Double, _ conditions: Conditions, seed: UInt64 = 1,
        take: @escaping (TokenRequest, Duration) -> TokenSlice
    ) {
        self.conditions = conditions
        self.take = take
        generator = SeededGenerator(seed)
        questions = Array(repeating: [], count: conditions.workers)
        workers = (0..<conditions.workers).map { number in
            Worker(limit: RateLimit(rate: rate), offset: .milliseconds(number * 1_234))
        }
    }

    /// Workers that share a bucket whose clock is an hour ahead.
    init(
        sharing bucket: SimulatedBucket, workers: Int = 1, callers: Int = 16, seed: UInt64 = 1,
        change: (inout Conditions) -> Void = { _ in }
    ) {
        var bucket = bucket
        var conditions = Conditions(workers: workers, callers: callers)
        change(&conditions)
        self.init(rate: bucket.rate, conditions, seed: seed) { request, now in
            bucket.slice(for: request, at: now + .seconds(3_600))
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
            advance(next)
        }
        now = end
    }

    private mutating func advance(_ number: Int) {
        let local = now + workers[number].offset
        switch workers[number].phase {
        case .step: step(number)
        case .asked(let request, let askedAt, let answeredAt):
            let slice = take(request, now)
            workers[number].phase = .answered(request, at: askedAt, slice)
            workers[number].nextAt = answeredAt
        case .answered(let request, let askedAt, let slice):
            workers[number].limit.add(slice, for: request, askedAt: askedAt, arrivedAt: local)
            workers[number].phase = .step
            // An in-memory bucket answers at once: the caller continues in the same step.
            workers[number].nextAt = conditions.delay > .zero ? now + stop() : now
        }
    }

    private mutating func step(_ number: Int) {
        let inPeriod = now - .seconds(5) * Int(now / .seconds(5))
        if conditions.rests, inPeriod >= .seconds(4) {
            workers[number].nextAt = now + .seconds(5) - inPeriod + stop()
            return
        }
        let local = now + workers[number].offset
        switch workers[number].limit.step(at: local, callers: conditions.callers) {
        case .go:
            starts.append(now + random(conditions.wire))
            if hits(conditions.throttled) { note(.throttled, worker: number) }
            workers[number].nextAt = now + stop()
        case .wait(let wait):
            workers[number].nextAt = now + wait + random(conditions.lateness) + stop()
        case .ask(let request):
            questions[number].append(now)
            let delay = random(conditions.delay)
            workers[number].phase = .asked(request, at: local, answeredAt: now + delay)
            workers[number].nextAt = now + random(delay)
        }
    }

    private mutating func hits(_ chance: Double) -> Bool {
        chance > 0 && Double.random(in: 0..<1, using: &generator) < chance
    }

    private mutating func random(_ most: Duration) -> Duration {
        guard most > .zero else { return .zero }
        return most * Double.random(in: 0...1, using: &generator)
    }

    private mutating func stop() -> Duration {
        guard hits(conditions.stops) else { return .zero }
        return random(hits(0.1) ? .seconds(3) : .milliseconds(60))
    }
}

extension [Duration] {
    /// The largest excess over `burst + rate * w` of all windows of w seconds; below zero if no
    /// window has more.
    func mostOver(rate: Double, burst: Int) -> Double {
        var worst = -Double.infinity
        var least = Double.infinity
        for (place, time) in sorted().enumerated() {
            let ahead = Double(place) - rate * (time / .seconds(1))
            least = Swift.min(least, ahead)
            worst = Swift.max(worst, ahead - least + 1 - Double(burst))
        }
        return worst
    }
}
