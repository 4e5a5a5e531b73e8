import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A token bucket")
struct TokenBucketTests {
    @Test("The burst is available at once, then one token an interval")
    func burst() {
        var bucket = TokenBucket(rate: 10, burst: 3)
        for _ in 1...3 { #expect(bucket.take(at: .seconds(5)) == .zero) }
        #expect(bucket.take(at: .seconds(5)) == .milliseconds(100))
        #expect(bucket.take(at: .seconds(5)) == .milliseconds(100))
        #expect(bucket.take(at: .milliseconds(5_099)) == .milliseconds(1))
        #expect(bucket.take(at: .milliseconds(5_100)) == .zero)
        #expect(bucket.take(at: .milliseconds(5_100)) == .milliseconds(100))
    }

    @Test("After a long rest there is no more than the burst")
    func rest() {
        var bucket = TokenBucket(rate: 1, burst: 2)
        let taken = (1...5).filter { _ in bucket.take(at: .seconds(86_400)) == .zero }
        #expect(taken.count == 2)
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
        var mostOverLaw = -Double.infinity
        for (first, start) in takes.enumerated() {
            for last in first..<min(takes.count, first + 400) {
                let seconds = (takes[last] - start) / .seconds(1)
                let over = Double(last - first + 1) - (Double(burst) + rate * seconds)
                mostOverLaw = max(mostOverLaw, over)
            }
        }
        #expect(mostOverLaw < 1e-9)
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
        let shift = 52 - Int(rate.exponent)
        // Split to avoid overflow: quotient and rest of 10^18 / numerator, each scaled.
        var quotient = intervals * 1_000_000_000_000_000_000 / numerator
        var rest = intervals * 1_000_000_000_000_000_000 % numerator
        for _ in 0..<shift {
            quotient <<= 1
            rest <<= 1
            if rest >= numerator { (quotient, rest) = (quotient + 1, rest - numerator) }
        }
        return rest > 0 ? quotient + 1 : quotient
    }
}
