import Testing

@testable import Reconcile

/// To add a case, add a rate.
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
