/// Days for finance: Apple's financial and sales reports use the day in California.
extension Instant {
    var day: Instant {
        guard isFinite else { return self }
        return advanced(byMilliseconds: -civil.millisecondOfDay)
    }

    /// The day in California (America/Los_Angeles), as midnight UTC of the same date. The day in
    /// UTC before 2008, when there was no App Store, and after 9999.
    var pacificDay: Instant {
        guard Self.firstPacificDay <= self, self < Self.afterPacificDays else { return day }
        let isSummer = Self.summerTime(of: civil.date.year).contains(self)
        return advanced(byMilliseconds: (isSummer ? -7 : -8) * Self.millisecondsPerHour).day
    }

    /// The instant at which the day of this midnight in UTC begins in California: the inverse of
    /// `pacificDay`. Clocks change at 02:00, never at midnight.
    var pacificMidnight: Instant {
        guard Self.firstPacificDay <= self, self < Self.afterPacificDays else { return self }
        let inSummer = advanced(byMilliseconds: 7 * Self.millisecondsPerHour)
        return Self.summerTime(of: civil.date.year).contains(inSummer)
            ? inSummer : advanced(byMilliseconds: 8 * Self.millisecondsPerHour)
    }

    /// `2026-11-21`; `infinity`, as in PostgreSQL.
    var dayText: String {
        isFinite ? String(description.prefix { $0 != "T" }) : description
    }

    /// Daylight saving time in the United States since 2007 (15 U.S.C. 260a): from the second
    /// Sunday in March to the first Sunday in November, at 02:00 local time.
    private static func summerTime(of year: Int64) -> Range<Instant> {
        let begin = sunday(onOrAfter: CivilDate(year: year, month: 3, day: 8))
        let end = sunday(onOrAfter: CivilDate(year: year, month: 11, day: 1))
        return midnight(begin) + .seconds(10 * 3_600)..<midnight(end) + .seconds(9 * 3_600)
    }

    /// Days since 1970-01-01, which was a Thursday.
    private static func sunday(onOrAfter date: CivilDate) -> Int64 {
        let day = date.daysSince1970
        return day + (10 - day % 7) % 7
    }

    private static func midnight(_ daysSince1970: Int64) -> Instant {
        Instant(milliseconds: daysSince1970 * millisecondsPerDay)
    }

    private static let millisecondsPerHour: Int64 = 3_600_000
    private static let firstPacificDay = midnight(
        CivilDate(year: 2008, month: 1, day: 1).daysSince1970)
    private static let afterPacificDays = midnight(
        CivilDate(year: 10_000, month: 1, day: 1).daysSince1970)
}
