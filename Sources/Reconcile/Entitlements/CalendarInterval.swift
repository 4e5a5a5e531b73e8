/// PostgreSQL's `interval`: months and days of the UTC calendar, and milliseconds.
package struct CalendarInterval: Hashable, Sendable {
    let months: Int64
    let days: Int64
    let milliseconds: Int64

    package init(months: Int64 = 0, days: Int64 = 0, milliseconds: Int64 = 0) {
        self.months = months
        self.days = days
        self.milliseconds = milliseconds
    }

    private static let mostYears: Int64 = 100_000

    /// Adds months, days, milliseconds in UTC, as PostgreSQL does. Infinite when `instant` or the
    /// interval exceeds `mostYears`.
    func added(to instant: Instant) -> Instant {
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

extension CalendarInterval {
    /// The whole days that are nearest to its length.
    var nearestDays: Int64 {
        let day = Instant.millisecondsPerDay
        return (Int64(nominalDuration.inMilliseconds) + day / 2) / day
    }

    /// The length with months of 30 days and years of 365 days: 14 months are 425 days.
    var nominalDuration: Duration {
        // PostgreSQL's months and days are 32-bit integers.
        func clamped(_ number: Int64) -> Int64 {
            min(max(number, Int64(Int32.min)), Int64(Int32.max))
        }
        let months = clamped(months)
        let days = months / 12 * 365 + months % 12 * 30 + clamped(days)
        return .seconds(days * 86_400) + .milliseconds(milliseconds)
    }
}

extension CalendarInterval {
    /// For example `14 months 3 days`. Parts below a day are in seconds or hours.
    var inWords: String {
        let seconds = milliseconds / 1_000
        let time = seconds % 3_600 == 0 ? (seconds / 3_600, "hour") : (seconds, "second")
        let parts = [(months, "month"), (days, "day"), time]
            .filter { $0.0 != 0 }
            .map { count, unit in "\(count) \(unit)\(count == 1 ? "" : "s")" }
        return parts.isEmpty ? "0 days" : parts.joined(separator: " ")
    }

    /// The unit after "per": `month`, `30 days`, `year`.
    var asUnit: String {
        if days == 0, milliseconds == 0, months > 0, months % 12 == 0 {
            return months == 12 ? "year" : "\(months / 12) years"
        }
        return inWords.hasPrefix("1 ") && !inWords.dropFirst(2).contains(" ")
            ? String(inWords.dropFirst(2)) : inWords
    }
}
