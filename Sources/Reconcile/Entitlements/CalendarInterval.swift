/// PostgreSQL's `interval`: months and days of the UTC calendar, and milliseconds.
package struct CalendarInterval: Hashable, Sendable {
    package let months: Int64
    package let days: Int64
    package let milliseconds: Int64

    package init(months: Int64 = 0, days: Int64 = 0, milliseconds: Int64 = 0) {
        (self.months, self.days, self.milliseconds) = (months, days, milliseconds)
    }

    /// What lasts longer lasts for ever.
    private static let mostYears: Int64 = 100_000

    /// `instant` plus the interval as PostgreSQL adds it in UTC: months, then days, then the rest.
    /// An interval of more than a hundred thousand years leads to an infinite instant, and so does
    /// an instant so far away.
    package func added(to instant: Instant) -> Instant {
        guard instant.isFinite else { return instant }
        let years = [
            months / 12, days / 366, milliseconds / Instant.millisecondsPerDay / 366,
            instant.milliseconds / Instant.millisecondsPerDay / 366,
        ]
        guard years.allSatisfy({ -Self.mostYears...Self.mostYears ~= $0 }) else {
            return years.contains { $0 < -Self.mostYears } ? .distantPast : .distantFuture
        }
        let (date, millisecondOfDay) = instant.civil
        let day = date.adding(months: months).daysSince1970 + days
        return Instant(
            milliseconds: day * Instant.millisecondsPerDay + millisecondOfDay + milliseconds)
    }
}
