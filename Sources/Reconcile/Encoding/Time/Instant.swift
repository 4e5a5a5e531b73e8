/// Whole milliseconds since 1970-01-01T00:00:00Z. `Foundation.Date` is a `Double` and can lose the
/// last millisecond.
package struct Instant: Hashable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// PostgreSQL's `infinity`: later than every other instant.
    static let distantFuture = Instant(milliseconds: .max)
    /// PostgreSQL's `-infinity`: earlier than every other instant.
    static let distantPast = Instant(milliseconds: .min)

    var isFinite: Bool { self != .distantFuture && self != .distantPast }

    package static func + (instant: Instant, interval: Duration) -> Instant {
        instant.advanced(byMilliseconds: interval.inMilliseconds)
    }

    /// The instant `count` milliseconds later; `distantFuture` or `distantPast` on overflow.
    func advanced(byMilliseconds count: Int64) -> Instant {
        guard isFinite else { return self }
        let (sum, overflow) = milliseconds.addingReportingOverflow(count)
        guard !overflow else { return count < 0 ? .distantPast : .distantFuture }
        return Instant(milliseconds: sum)
    }

    package static func - (instant: Instant, interval: Duration) -> Instant {
        instant + (.zero - interval)
    }
}

extension Instant: Comparable {
    package static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero, saturating.
    package var inMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflows ? whole : sum
    }
}
