/// PostgreSQL's `interval`: months and days of the UTC calendar, and milliseconds.
package struct CalendarInterval: Hashable, Sendable {
    package let months: Int64
    package let days: Int64
    package let milliseconds: Int64

    package init(months: Int64 = 0, days: Int64 = 0, milliseconds: Int64 = 0) {
        (self.months, self.days, self.milliseconds) = (months, days, milliseconds)
    }

    /// `instant` plus the interval as PostgreSQL adds it in UTC: months, then days, then the rest.
    package func added(to instant: Instant) -> Instant {
        guard instant.isFinite else { return instant }
        let (date, millisecondOfDay) = instant.civil
        let day = date.adding(months: months).daysSince1970 + days
        return Instant(
            milliseconds: day * Instant.millisecondsPerDay + millisecondOfDay + milliseconds)
    }
}
