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

    @Test(
        "At most burst + rate · w tokens are given in any window of w seconds",
        arguments: [(10, 10), (3, 1), (7, 5), (0.3, 2), (1_000.0 / 7, 20), (9_999.9, 16)]
            as [(Double, Int)])
    func law(rate: Double, burst: Int) {
        var generator = SeededGenerator(UInt64(burst) &+ rate.bitPattern)
        var bucket = TokenBucket(rate: rate, burst: burst)
        var now = Duration.zero
        var takes: [Duration] = []
        let step = Int64(2e9 / rate)
        for _ in 0..<3_000 {
            // Callers in turn: eager, idle, and exactly at the announced time.
            let wait = bucket.take(at: now)
            if wait == .zero { takes.append(now) }
            switch UInt8.random(in: 0...3, using: &generator) {
            case 0: now += wait
            case 1: now += .nanoseconds(Int64.random(in: 0...step, using: &generator))
            default: break
            }
        }
        #expect(takes.count > burst)
        #expect(takes.mostOver(rate: rate, burst: burst) < 1e-9)
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
        // With a burst of 1 the last of a million tokens comes after exactly 999,999 intervals.
        let exact = Self.attoseconds(intervals: 999_999, rate: rate)
        #expect(now.attoseconds >= exact)
        #expect(now.attoseconds - exact <= exact >> 51)
    }

    /// `intervals / rate` in attoseconds, rounded up, for the exact value of the Double `rate`.
    private static func attoseconds(intervals: Int128, rate: Double) -> Int128 {
        // rate = numerator / 2^52 · 2^exponent
        let numerator = Int128(rate.significandBitPattern | 1 << 52)
        // Split to avoid overflow: quotient and rest of 10^18 / numerator, each scaled.
        var (quotient, rest) = (intervals * 1_000_000_000_000_000_000)
            .quotientAndRemainder(dividingBy: numerator)
        for _ in 0..<52 - Int(rate.exponent) {
            quotient <<= 1
            rest <<= 1
            if rest >= numerator { (quotient, rest) = (quotient + 1, rest - numerator) }
        }
        return rest > 0 ? quotient + 1 : quotient
    }
}
