/// How fast something may be done: tokens that come at a rate and are kept up to a burst.
///
/// The law: every window of *w* seconds holds at most `burst + rate · w` takes. It is the generic
/// cell rate algorithm of ATM, and it does not drift: time is a `Duration`, of whole attoseconds,
/// and the interval between two tokens is rounded up.
struct TokenBucket: Sendable {
    private var interval: Duration
    private let burst: Int
    /// When the bucket will be full again, if nothing more is taken.
    private var fullAt: Duration = .zero

    /// A full bucket. `rate` is in tokens a second and above 0; `burst` is at least 1.
    init(rate: Double, burst: Int) {
        interval = Self.interval(rate)
        self.burst = min(max(1, burst), 1_000_000_000)
    }

    /// Takes a token if there is one. Otherwise takes nothing and returns how long until one will
    /// be there. `now` is counted from the same origin every time.
    mutating func take(at now: Duration) -> Duration {
        let due = fullAt - interval * (burst - 1)
        guard now >= due else { return due - now }
        fullAt = max(fullAt, now) + interval
        return .zero
    }

    /// From `now` on tokens come at `rate` a second. Those in the bucket stay.
    mutating func setRate(_ rate: Double, at now: Duration) {
        let former = interval
        interval = Self.interval(rate)
        guard interval != former, fullAt > now else { return }
        let missing = min(fullAt - now, former * burst).attoseconds.magnitude
        let scaled = missing.multipliedFullWidth(by: interval.attoseconds.magnitude)
        let (time, rest) = former.attoseconds.magnitude.dividingFullWidth(scaled)
        fullAt = now + Duration(attoseconds: Int128(time) + (rest > 0 ? 1 : 0))
    }

    /// 1 / `rate`, never less, and more by at most two parts in 10^16. A rate that is no number
    /// above 0 is taken for the slowest, one token in 30 years.
    private static func interval(_ rate: Double) -> Duration {
        let rate = rate > 1e-9 ? min(rate, 1e9) : 1e-9
        var attoseconds = (1e18 / rate).rounded(.up)
        // The quotient may be rounded down; the fused product tells its true sign.
        if (-1e18).addingProduct(attoseconds, rate) < 0 {
            attoseconds = max(attoseconds.nextUp, attoseconds + 1)
        }
        return Duration(attoseconds: Int128(attoseconds))
    }
}
