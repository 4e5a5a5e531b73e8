import Testing

@testable import Reconcile
@testable import TestSupport

/// The rate limiter's tests show its burst and its intervals.
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
        var adaptive = AdaptiveRate(100)
        for step in course.dropFirst() {
            let words = step.split(separator: " ")
            let now = Duration.milliseconds(try #require(Int(words[2])))
            let answer = try #require(AnswerClass.named[words[1]])
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
    /// At each time a token is used (go), the task waits so many milliseconds, or the next slice is
    /// requested (ask). Slices arrive (add), in milliseconds: due after, apart, count, taken at (by
    /// the bucket's clock), asked at, arrived at. An empty slice says when to ask again. A token is
    /// forfeited 50 ms after it was due, at every possible difference of the clocks, unless the
    /// fastest response takes longer; after slow responses the next is requested earlier (lead).
    @Test(
        "Tokens are used in turn, each when it is due, and then the next slice is requested",
        arguments: textTable(
            """
            add 5 10 3 1000 1000 1000, 1000 5, 1005 go, 1005 10, 1015 go, 1025 go, 1025 ask
            add -9000 10 3 1000 1000 1000, 1000 go, 1000 go, 1000 go, 1000 ask
            add 10 10 3 1000 960 1000, 1000 10, 1010 go
            add 80 0 0 1000 1000 1000, 1000 80, 1079 1, 1080 ask
            add 0 10 1 1000 1000 1000, 1050 go
            add 0 10 1 1000 1000 1000, 1051 ask
            add 0 10 1 1000 1000 1000, 9000 ask
            add 0 10 1 1000 960 1000, 1021 ask
            add 0 10 1 7000 0 300, 300 go
            add 0 10 1 1000 1000 1000, lead 0, add 0 0 1 2000 2000 2200, 2200 ask, lead 200, \
            add 0 0 1 3000 3000 3200, 3201 go, add 0 0 1 4000 4000 4001, lead 0
            """))
    func inTurn(course: [String]) throws {
        var ledger = TokenLedger()
        for step in course[0].split(separator: ", ") {
            let words = step.split(separator: " ")
            let times = words.map { Duration.milliseconds(Int($0) ?? 0) }
            switch words[0] {
            case "add":
                let slice = TokenSlice(
                    takenAt: times[4], firstDue: times[1], apart: times[2],
                    count: try #require(Int(words[3])))
                ledger.add(slice, askedAt: times[5], arrivedAt: times[6])
            case "lead": #expect(ledger.lead == times[1])
            default:
                let wait = Int(words[1]).map { _ in TokenLedger.Step.wait(times[1]) }
                let expected = wait ?? (words[1] == "go" ? .go : .requestSlice)
                #expect(ledger.take(at: times[0]) == expected, "\(step)")
            }
        }
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
