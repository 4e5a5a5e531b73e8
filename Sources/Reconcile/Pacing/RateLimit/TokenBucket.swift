/// Invariant: every window of w seconds holds at most `burst + rate · w` takes. Implements the
/// generic cell rate algorithm (GCRA) of ATM. It does not drift: time is in whole attoseconds, and
/// the interval between two tokens is rounded up.
struct TokenBucket: Sendable {
    private var interval: Duration
    private let burst: Int
    private var fullAt: Duration = .zero

    /// A full bucket. `rate` is in tokens a second and above 0; `burst` is at least 1.
    init(rate: Double, burst: Int) {
        interval = Self.interval(rate)
        self.burst = min(max(1, burst), 1_000_000_000)
    }

    /// Takes a token, or takes nothing and returns the wait until one is available.
    mutating func take(at now: Duration) -> Duration {
        let due = fullAt - interval * (burst - 1)
        guard now >= due else { return due - now }
        fullAt = max(fullAt, now) + interval
        return .zero
    }

    /// Changes the rate from `now` on. Tokens in the bucket stay.
    mutating func setRate(_ rate: Double, at now: Duration) {
        let former = interval
        interval = Self.interval(rate)
        guard interval != former, fullAt > now else { return }
        let missing = min(fullAt - now, former * burst).attoseconds.magnitude
        let scaled = missing.multipliedFullWidth(by: interval.attoseconds.magnitude)
        let (time, rest) = former.attoseconds.magnitude.dividingFullWidth(scaled)
        fullAt = now + Duration(attoseconds: Int128(time) + (rest > 0 ? 1 : 0))
    }

    /// 1 / `rate` or at most two parts in 10^16 more, never less. A rate that is not a number above
    /// 0 becomes the slowest, one token in 30 years.
    private static func interval(_ rate: Double) -> Duration {
        let rate = rate > 1e-9 ? min(rate, 1e9) : 1e-9
        var attoseconds = (1e18 / rate).rounded(.up)
        // The quotient may be rounded down. The fused multiply-add gives the exact sign of the
        // error.
        if (-1e18).addingProduct(attoseconds, rate) < 0 {
            attoseconds = max(attoseconds.nextUp, attoseconds + 1)
        }
        return Duration(attoseconds: Int128(attoseconds))
    }
}
