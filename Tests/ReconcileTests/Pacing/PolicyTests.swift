import Testing

@testable import Reconcile
@testable import TestSupport

private let answers: [Substring: AnswerClass] = [
    "sound": .sound, "troubled": .troubled, "throttled": .throttled,
]

@Suite("The outage circuit breaker")
struct OutageBreakerTests {
    /// A step is a second with equal answers, with the answer to a probe (and its Retry-After), the
    /// question whether patience is over, or what is admitted; and the change that it causes.
    @Test(
        "The breaker opens when half of the answers fail, probes for the end, and may give up",
        arguments: """
            half of the first 50 or last 200 | 0 throttled 49, 0 is free, 0 troubled 1 began
            the last one may be sound | 0 throttled 49, 0 is free, 0 sound 1 began
            of 50  | 0 sound 25, 0 throttled 24, 0 is free, 0 troubled 1 began
            of 52  | 0 sound 26, 0 throttled 25, 0 is free, 0 troubled 1 began
            of 200 | 0 sound 100, 0 throttled 99, 0 is free, 0 troubled 1 began
            of the last 200 | 0 sound 1000, 0 throttled 99, 0 is free, 0 troubled 1 began
            just less than half; closed, it never gives up and ignores probes | \
            \(String(repeating: "0 sound 12, 0 troubled 10, ", count: 1_000))9e18 overdue, \
            0 probe troubled, 0 is free
            waits grow while probes fail, and none is less than Retry-After | \
            100 troubled 50 began, 100 is wait 101.0, 101 is probe, 101 probe troubled, \
            102 is wait 103.0, 103 is probe, 103 probe troubled 3, 106 is wait 107.0, \
            107 is probe, 107 probe troubled 9, 115 is wait 116.0, 116 is probe, \
            116 probe troubled, 131 is wait 132.0, 132 is probe, 132 probe troubled, \
            161 is wait 162.0, 162 is probe, 162 probe troubled, 191 is wait 192.0, \
            192 is probe, 192 probe troubled 45, 236 is wait 237.0
            three good probes in a row close it; answers from before and to others do not count | \
            0 troubled 50 began, 0 sound 500, 0 is wait 1.0, 1 probe sound, 1 is probe, \
            2 probe sound, 3 probe troubled, 3 is wait 5.0, 5 probe sound, 6 probe sound, \
            7 probe sound 0 ended 7.0, 7 is free, 8 troubled 49, 8 troubled 1 began
            it gives up for good after the patience, which each outage gets anew | \
            0 troubled 50 began, 599.999 overdue, 599.999 probe sound, 599.999 probe sound, \
            599.999 probe sound 0 ended 599.999, 600 troubled 50 began, 1199.999 overdue, \
            1190 probe troubled 3600, 1190 is wait 1200.0, 1200 overdue gaveUp 600.0, \
            1200 overdue, 1201 probe sound, 1200 is never, 9999 is never
            """.pairs)
    func follows(title: String, course: String) throws {
        var watch = OutageBreaker(patience: .seconds(600), firstWait: .seconds(1))
        for step in course.split(separator: ", ") {
            let words = step.split(separator: " ")
            let now = Duration.seconds(try #require(Double(words[0])))
            var changes: [OutageBreaker.Change?] = []
            var rest = words.dropFirst(2)
            switch words[1] {
            case "is":
                let admission = named(watch.admission(at: now))
                #expect(admission == rest.joined(separator: " "), "\(title): \(step)")
                #expect(watch.isClosed == (admission == "free"))
                continue
            case "overdue": changes = [watch.giveUpIfOverdue(at: now)]
            case "probe":
                let answer = try #require(answers[rest.removeFirst()])
                let wait = rest.popFirst().flatMap { Int($0) }.map { Duration.seconds($0) }
                changes = [watch.recordProbe(answer, retryAfter: wait, at: now)]
            default:
                let answer = try #require(answers[words[1]])
                let count = try #require(Int(rest.removeFirst()))
                changes = (0..<count).map { _ in watch.note(answer, at: now) }
            }
            let expected = rest.isEmpty ? [] : [rest.joined(separator: " ")]
            #expect(changes.compactMap { $0 }.map { named($0) } == expected, "\(title): \(step)")
        }
    }

    /// `wait(until: 2.0 seconds)` is "wait 2.0".
    private func named(_ value: some Any) -> String {
        "\(value)".replacing(#/\((?:.*: )?(.*) seconds\)/#) { " " + $0.1 }
    }
}

@Suite("A retry policy")
struct RetryPolicyTests {
    private var policy = RetryPolicy(
        maxAttempts: 8, base: .seconds(1), cap: .seconds(30), deadline: .seconds(1_000))
    private var generator = SeededGenerator(1)

    private mutating func wait(afterAttempt attempt: Int) throws -> Duration {
        let decision = policy.decision(
            afterAttempt: attempt, spent: .zero, retryAfter: nil, using: &generator)
        guard case .wait(let duration) = decision else { throw CancellationError() }
        return duration
    }

    @Test(
        "The wait is random, with a limit that doubles with each attempt up to the cap",
        arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 30), (7, 30)])
    mutating func jitter(attempt: Int, longestSeconds: Int) throws {
        generator = SeededGenerator(UInt64(attempt))
        let most = Duration.seconds(longestSeconds)
        let shares = try (0..<2_000).map { _ in try wait(afterAttempt: attempt) / most }.sorted()
        // Full jitter: both ends are reached, and the mean is in the middle.
        #expect(shares[0] >= 0 && shares[0] < 0.02)
        #expect(shares[1_999] > 0.98 && shares[1_999] <= 1)
        #expect(abs(shares.reduce(0, +) / 2_000 - 0.5) < 0.03)
    }

    @Test(
        "The wait is at least Retry-After; none follows the last attempt, or passes the deadline",
        arguments: [
            (1, 0, 120, .wait(.seconds(120))), (8, 0, nil, .giveUp(.attempts)),
            (9, 0, nil, .giveUp(.attempts)), (8, 2_000, nil, .giveUp(.attempts)),
            (1, 1_000, nil, .giveUp(.deadline)), (1, 2_000, nil, .giveUp(.deadline)),
            (1, 400, 600, .giveUp(.deadline)), (1, 0, 3_600, .giveUp(.deadline)),
        ] as [(Int, Int, Int?, RetryPolicy.Decision)])
    mutating func decides(attempt: Int, spent: Int, wish: Int?, expected: RetryPolicy.Decision) {
        let decision = policy.decision(
            afterAttempt: attempt, spent: .seconds(spent), retryAfter: wish.map { .seconds($0) },
            using: &generator)
        #expect(decision == expected)
    }

    @Test(
        "Extreme numbers do not trap",
        arguments: [
            (.zero, .zero), (.seconds(-1), .seconds(30)), (.seconds(90), .seconds(30)),
            (Duration(attoseconds: 1), .seconds(Int64.max)),
        ] as [(Duration, Duration)])
    mutating func anyNumbers(base: Duration, cap: Duration) throws {
        policy = .init(maxAttempts: .max, base: base, cap: cap, deadline: .seconds(Int64.max))
        for attempt in [-1, 0, 1, 2, 64, 200, 1 << 40] {
            let wait = try wait(afterAttempt: attempt)
            #expect(wait >= .zero && wait <= max(.zero, cap))
        }
    }
}

@Suite("A token bucket")
struct TokenBucketTests {
    @Test("Any rate is clamped", arguments: [0, -1, .nan, .infinity, 1e-300, 1e300])
    func anyRate(rate: Double) {
        var bucket = TokenBucket(rate: rate, burst: .max)
        #expect(bucket.take(at: .zero) == .zero)
        bucket.setRate(rate, at: .zero)
        #expect(bucket.take(at: .seconds(Int64.max)) == .zero)
    }

    @Test("A million tokens cause no drift", arguments: [10, 3, 7, 0.7, 333.3])
    func drift(rate: Double) {
        var bucket = TokenBucket(rate: rate, burst: 1)
        var now = Duration.zero
        var taken = 0
        while taken < 1_000_000 {
            let wait = bucket.take(at: now)
            if wait == .zero { taken += 1 } else { now += wait }
        }
        // With a burst of 1 the last of a million tokens comes after exactly 999,999 intervals. In
        // attoseconds, times the numerator of the exact value of `rate`: numerator/2^52·2^exponent
        let time = now.attoseconds.magnitude
        let numerator = UInt128(rate.significandBitPattern | 1 << 52)
        let intervals: UInt128 = 999_999_000_000_000_000_000_000
        let exact = intervals.multipliedFullWidth(by: 1 << (52 - Int(rate.exponent)))
        #expect(time.multipliedFullWidth(by: numerator) >= exact)
        #expect((time - time >> 51).multipliedFullWidth(by: numerator) <= exact)
    }
}

@Suite("An adaptive rate")
struct AdaptiveRateTests {
    /// Steps are a number of equal answers, their milliseconds, the change that they cause, and the
    /// rate then ("?": not compared).
    @Test(
        "The rate of 100 is halved by trouble, and recovers",
        arguments: """
            It stays while at most a fifth of the last hundred answers are troubled | \
            20 troubled 0 same 100 | 500 sound 0 same 100 | 20 troubled 9000 same 100
            The answer that makes it more than a fifth halves it | \
            79 sound 0 same 100 | 20 troubled 1000 same 100 | 1 troubled 1000 halved 50
            It is halved once in 5 s at most, and never below a tenth | \
            30 throttled 10000 halved 50 | 30 throttled 14999 same 50 | \
            30 throttled 15000 halved 25 | 1 troubled 20000 halved 12.5 | \
            1 troubled 25000 halved 10 | 500 throttled 99000 same 10
            A single 429 halves it; it recovers by a twentieth a second, and never above 100 | \
            1 throttled 0 halved 50 | 0 sound 1000 same 55 | 0 sound 60000 same 100 | \
            1 sound 4000 same 70 | 1 sound 9900 same ? | 1 sound 10000 restored 100 | \
            1 sound 60000 same 100
            It recovers only when the oldest of more than a fifth has left the hundred | \
            21 troubled 0 halved 50 | 79 sound 4000 same 50 | 1 sound 4000 same 50 | \
            0 sound 5000 same 55
            A partly recovered rate is halved from where it is | \
            1 throttled 0 halved 50 | 1 throttled 6000 halved 40 | 1 sound 18000 restored 100
            """.rows)
    func follows(course: [String]) throws {
        var adaptive = AdaptiveRate(100)
        for step in course.dropFirst() {
            let words = step.split(separator: " ")
            let now = Duration.milliseconds(try #require(Int(words[2])))
            let answer = try #require(answers[words[1]])
            let count = try #require(Int(words[0]))
            let changes = (0..<count).compactMap { _ in adaptive.note(answer, at: now) }
            let rate = Double(words[4])
            let expected = words[3] == "same" ? [] : ["\(words[3])(\(try #require(rate)))"]
            #expect(changes.map { "\($0)" } == expected, "\(course[0]): \(step)")
            #expect(rate == nil || adaptive.rate(at: now) == rate, "\(course[0]): \(step)")
        }
    }

    @Test(
        "Whatever the answers are, the rate is within its bounds, and halved once in 5 s at most",
        arguments: [100, 3, 0.5], UInt64(1)...7)
    func bounds(whole: Double, seed: UInt64) {
        var generator = SeededGenerator(whole.bitPattern &+ seed)
        var rate = AdaptiveRate(whole)
        var now = Duration.zero
        var halvings: [Duration] = []
        for number in 1...3_000 {
            now += .seconds(Double.random(in: 0...4 / whole, using: &generator))
            let isClosed = (number / 600).isMultiple(of: 2)
            let answer = isClosed || Bool.random(using: &generator) ? AnswerClass.sound : .troubled
            let change = rate.note(number % 250 == 0 ? .throttled : answer, at: now)
            if case .halved = change { halvings.append(now) }
            #expect((whole / 10...whole).contains(rate.rate(at: now)))
        }
        #expect(halvings.count > 5)
        #expect(zip(halvings, halvings.dropFirst()).allSatisfy { $1 - $0 >= .seconds(5) })
    }
}

@Suite("The tokens in hand")
struct TokenLedgerTests {
    /// At each time a caller goes, waits so many milliseconds, or asks for the next slice, with
    /// its lead and its share of the rate of 10. Slices arrive (add), in milliseconds: due after,
    /// apart, count, taken at (by the bucket's clock), asked at, arrived at. An empty slice says
    /// when to request again. A token is forfeited 50 ms after it was due, at every possible
    /// difference of the clocks, which the fastest response fixes until a clock is set, unless it
    /// takes longer; slow ones increase the lead. A 429 forfeits all tokens; a pause requests none.
    @Test(
        "Tokens are used in turn, each when it is due, and then the next slice is requested",
        arguments: """
            add 5 10 3 1000 1000 1000, 1000 5, 1005 go, 1005 10, 1015 go, 1025 go, 1025 ask 0 1.0
            add -9000 10 3 1000 1000 1000, 1000 go, 1000 go, 1000 go, 1000 ask 0 1.0
            add 10 10 3 1000 960 1000, 1000 10, 1010 go
            add 80 0 0 1000 1000 1000, 1000 80, 1079 1, 1080 ask 0 1.0
            add 0 10 1 1000 1000 1000, 1050 go
            add 0 10 99 1000 1000 1000, 1500 go, 1500 go, 1500 go, 1500 go, 1500 go, 1500 go, \
            1500 10, 1510 go, 1510 10, 3000 ask 0 1.0
            add 0 10 1 1000 1000 1000, 1051 ask 0 1.0
            add 0 10 1 1000 960 1000, 1021 ask 40 1.0
            add 0 10 1 7000 0 300, 300 go
            add 0 10 1 1000 1000 1000, 1000 go, 1000 ask 0 1.0, add 0 0 1 2000 2000 2200, \
            2200 ask 200 1.0, add 0 0 1 3000 3000 3200, 3201 go, add 0 0 1 4000 4000 4001, \
            4202 go, 4202 ask 0 1.0
            add 0 10 1 100000 1000 3000, add 0 10 1 102000 3000 3500, 5499 1, 5500 go, \
            add 0 10 1 105000 5520 7500, 7001 go, add 0 10 1 50000 8980 9000, 10979 1, 11010 go
            add 0 100 3 1000 1000 1000, 1000 go, 1000 100, 429 1001, 1001 ask 0 0.5
            1000 ask 0 1.0, 429 1010, add 0 10 9 1000 1000 1010, 1010 ask 0 0.5, 2010 ask 0 0.55
            add 0 100 3 1000 1000 1000, 1000 go, pause 9000, pause 1500, 1100 7900, 9000 ask 0 1.0
            pause 9000, 8999 1, 9000 ask 0 1.0
            """.rows)
    func inTurn(course: [String]) throws {
        var limit = RateLimit(rate: 10)
        var asked = TokenRequest(count: 1)
        for step in course[0].split(separator: ", ") {
            let words = step.split(separator: " ")
            let times = words.map { Duration.milliseconds(Int($0) ?? 0) }
            switch words[0] {
            case "add":
                let slice = TokenSlice(
                    takenAt: times[4], firstDue: times[1], apart: times[2],
                    count: try #require(Int(words[3])))
                limit.add(slice, for: asked, askedAt: times[5], arrivedAt: times[6])
            case "pause": limit.pause(until: times[1])
            case "429": #expect(limit.note(.throttled, at: times[1]) == .halved(5))
            default:
                let next = limit.step(at: times[0], callers: 1)
                if case .ask(let request) = next { asked = request }
                var expected = words[1] == "go" ? RateLimit.Step.go : .wait(times[1])
                if words[1] == "ask" {
                    let share = try #require(Double(words[3]))
                    expected = .ask(.init(count: asked.count, lead: times[2], share: share))
                }
                #expect(next == expected, "\(step)")
            }
        }
    }
}
