/// Days in California, from the first to the last, as finance names them. A day is the midnight in
/// UTC of the same date, as `Instant.pacificDay` gives it.
package struct PacificDays: Hashable, Sendable {
    package let first: Instant
    package let last: Instant

    /// Nil when the last day is before the first.
    package init?(first: Instant, last: Instant) {
        guard first <= last else { return nil }
        self.first = first
        self.last = last
    }

    /// - Parameter count: at least 1.
    init(from daysSince1970: Int64, count: Int64) {
        first = Instant(daysSince1970: daysSince1970)
        last = Instant(daysSince1970: daysSince1970 + count - 1)
    }

    /// From the first day's 00:00 to before the last one's 24:00 in California.
    package var instants: Range<Instant> {
        let end = last.advanced(byMilliseconds: Instant.millisecondsPerDay)
        return first.pacificMidnight..<end.pacificMidnight
    }

    var count: Int {
        1 + Int((last.milliseconds - first.milliseconds) / Instant.millisecondsPerDay)
    }

    /// Every day, first to last.
    package var all: [Instant] {
        let days = stride(
            from: first.milliseconds, through: last.milliseconds,
            by: Int(Instant.millisecondsPerDay))
        return days.map { Instant(milliseconds: $0) }
    }

    package var firstText: String { first.dayText }
    package var lastText: String { last.dayText }
}

extension Instant {
    init(daysSince1970 days: Int64) { self.init(milliseconds: days * Self.millisecondsPerDay) }

    /// Parses a day such as `2026-10-31`, as midnight UTC. Nil for a day that does not exist, and
    /// before 2008, when there was no App Store.
    package init?(day text: String) {
        guard text.utf8.count == 10, let day = Instant(rfc3339: text + "T00:00:00Z"),
            day.civil.date.year >= 2008
        else { return nil }
        self = day
    }
}
