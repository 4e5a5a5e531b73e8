import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A token bucket")
struct TokenBucketTests {
    @Test(
        "The burst is available at once, also after a long rest, then one token an interval",
        arguments: [
            (
                10, 3,
                [
                    (5_000, 0), (5_000, 0), (5_000, 0), (5_000, 100), (5_000, 100), (5_099, 1),
                    (5_100, 0), (5_100, 100),
                ]
            ),
            (1, 2, [(86_400_000, 0), (86_400_000, 0), (86_400_000, 1_000), (86_400_000, 1_000)]),
        ] as [(Double, Int, [(at: Int, wait: Int)])])
    func burst(rate: Double, burst: Int, takes: [(at: Int, wait: Int)]) {
        var bucket = TokenBucket(rate: rate, burst: burst)
        for take in takes {
            #expect(bucket.take(at: .milliseconds(take.at)) == .milliseconds(take.wait))
        }
    }

    @Test("When the rate changes the tokens are kept, and the bucket fills at the new rate")
    func rateChange() {
        var bucket = TokenBucket(rate: 10, burst: 4)
        for _ in 1...3 { #expect(bucket.take(at: .zero) == .zero) }
        bucket.setRate(1, at: .zero)
        #expect(bucket.take(at: .zero) == .zero)
        #expect(bucket.take(at: .zero) == .seconds(1))
    }

    @Test(
        "Every rate is clamped to what the clock can count",
        arguments: [0, -1, .nan, .infinity, 1e-300, 1e300])
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
        func product(_ time: UInt128, _ factor: UInt128) -> (UInt128, UInt128) {
            let product = time.multipliedFullWidth(by: factor)
            return (product.high, product.low)
        }
        let time = now.attoseconds.magnitude
        let numerator = UInt128(rate.significandBitPattern | 1 << 52)
        let exact = product(999_999_000_000_000_000_000_000, 1 << (52 - Int(rate.exponent)))
        #expect(product(time, numerator) >= exact)
        #expect(product(time - time >> 51, numerator) <= exact)
    }
}

@Suite("An adaptive rate")
struct AdaptiveRateTests {
    /// Steps are a number of equal answers, their milliseconds, the change that they cause, and the
    /// rate then ("?": not compared).
    @Test(
        "The rate of 100 is halved by trouble, and recovers",
        arguments: textTable(
            """
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
            """))
    func follows(course: [String]) throws {
        let answers: [String: AnswerClass] = [
            "sound": .sound, "troubled": .troubled, "throttled": .throttled,
        ]
        var adaptive = AdaptiveRate(100)
        for step in course.dropFirst() {
            let words = step.split(separator: " ").map(String.init)
            let now = Duration.milliseconds(try #require(Int(words[2])))
            let answer = try #require(answers[words[1]])
            let changes = (0..<(Int(words[0]) ?? 0)).compactMap { _ in
                adaptive.note(answer, at: now)
            }
            let rate = Double(words[4])
            let expected: [String: [AdaptiveRate.Change]] = [
                "halved": [.halved(rate ?? 0)], "restored": [.restored(rate ?? 0)], "same": [],
            ]
            #expect(changes == expected[words[3]], "\(course[0]): \(step)")
            #expect(rate == nil || adaptive.rate(at: now) == rate, "\(course[0]): \(step)")
        }
    }

    @Test(
        "The limit of the full rate holds in every window, and the rate stays within its bounds",
        arguments: [(100, 7), (3, 1), (0.5, 2)] as [(Double, Int)],
        1...7 as ClosedRange<UInt64>)
    func law(limit: (whole: Double, burst: Int), seed: UInt64) {
        let (whole, burst) = limit
        var generator = SeededGenerator(whole.bitPattern &+ seed)
        var rate = AdaptiveRate(whole)
        var bucket = TokenBucket(rate: whole, burst: burst)
        var now = Duration.zero
        var takes: [Duration] = []
        var halvings: [Duration] = []
        while takes.count < 3_000 {
            bucket.setRate(rate.rate(at: now), at: now)
            let wait = bucket.take(at: now)
            if wait > .zero {
                now += wait * Double.random(in: 0.2...1.3, using: &generator)
                continue
            }
            takes.append(now)
            let isClosed = (takes.count / 600).isMultiple(of: 2)
            let answer = isClosed || Bool.random(using: &generator) ? AnswerClass.sound : .troubled
            let change = rate.note(takes.count % 250 == 0 ? .throttled : answer, at: now)
            if case .halved = change { halvings.append(now) }
            #expect((whole / 10...whole).contains(rate.rate(at: now)))
        }
        #expect(takes.mostOver(rate: whole, burst: burst) <= 1e-6)
        #expect(halvings.count > 5)
        #expect(zip(halvings, halvings.dropFirst()).allSatisfy { $1 - $0 >= .seconds(5) })
    }
}

@Suite("The tokens in hand")
struct TokenLedgerTests {
    /// Adds tokens; all are milliseconds, and their number: due after, apart, count, taken at (by
    /// the bucket's clock), asked at, arrived at.
    private func add(_ numbers: [Int], to ledger: inout TokenLedger) {
        let times = numbers.map { Duration.milliseconds($0) }
        let slice = TokenSlice(
            takenAt: times[3], firstDue: times[0], apart: times[1], count: numbers[2])
        ledger.add(slice, askedAt: times[4], arrivedAt: times[5])
    }

    /// At each time a token is used (go), the task waits so many milliseconds, or the next slice is
    /// requested (ask). An empty slice says when to ask again. A token is forfeited 50 ms after it
    /// was due, counted from the request for it, unless the fastest response takes longer. The
    /// bucket's clock may have been read when the request was sent: then no token is used before it
    /// is due, for any possible difference of the clocks.
    @Test(
        "Tokens are used in turn, each when it is due, and then the next slice is requested",
        arguments: textPairs(
            """
            5 10 3 1000 1000 1000     | 1000 5, 1005 go, 1005 10, 1015 go, 1025 go, 1025 ask
            -9000 10 3 1000 1000 1000 | 1000 go, 1000 go, 1000 go, 1000 ask
            10 10 3 1000 960 1000     | 1000 10, 1010 go
            80 0 0 1000 1000 1000     | 1000 80, 1079 1, 1080 ask
            0 10 1 1000 1000 1000     | 1050 go
            0 10 1 1000 1000 1000     | 1051 ask
            0 10 1 1000 1000 1000     | 9000 ask
            0 10 1 1000 960 1000      | 1021 ask
            0 10 1 7000 0 300         | 300 go
            """))
    func inTurn(tokens: String, course: String) throws {
        var ledger = TokenLedger()
        add(tokens.split(separator: " ").compactMap { Int($0) }, to: &ledger)
        for step in course.split(separator: ", ") {
            let words = step.split(separator: " ")
            let wait = Int(words[1]).map { TokenLedger.Step.wait(.milliseconds($0)) }
            let taken = ledger.take(at: .milliseconds(try #require(Int(words[0]))))
            #expect(taken == wait ?? (words[1] == "go" ? .go : .requestSlice), "\(step)")
        }
    }

    @Test("With slow responses the next tokens are requested earlier")
    func lead() {
        var ledger = TokenLedger()
        add([0, 10, 1, 1_000, 1_000, 1_000], to: &ledger)
        #expect(ledger.lead == .zero)
        // The response took 200 ms, too late for its token. The clocks are known to agree.
        add([0, 0, 1, 2_000, 2_000, 2_200], to: &ledger)
        #expect(ledger.take(at: .milliseconds(2_200)) == .requestSlice)
        #expect(ledger.lead == .milliseconds(200))
        add([0, 0, 1, 3_000, 3_000, 3_200], to: &ledger)
        #expect(ledger.take(at: .milliseconds(3_201)) == .go)
        add([0, 0, 1, 4_000, 4_000, 4_001], to: &ledger)
        #expect(ledger.lead == .zero)
    }

    @Test("The fastest response fixes the difference of the clocks until one of them is set")
    func offset() {
        var offset = ClockOffset()
        offset.note(.seconds(100), askedAt: .seconds(1), answeredAt: .seconds(3))
        #expect(offset.least == .seconds(97) && offset.most == .seconds(99))
        offset.note(.seconds(102), askedAt: .seconds(3), answeredAt: .milliseconds(3_500))
        #expect(offset.least == .milliseconds(98_500) && offset.most <= .milliseconds(99_001))
        offset.note(.seconds(50), askedAt: .seconds(4), answeredAt: .seconds(5))
        #expect(offset.least == .seconds(45) && offset.most == .seconds(46))
    }
}
