/// A month of a year, such as `2026-10`.
package struct CalendarMonth: Hashable, Sendable {
    let year: Int64
    /// 1 to 12.
    let month: Int64

    /// Parses `2026-10`. Nil before 2008, when there was no App Store.
    package init?(_ text: String) {
        guard text.utf8.count == 7, let day = Instant(day: text + "-01") else { return nil }
        self.init(of: day)
    }

    /// The month in which a day lies, given as its midnight in UTC.
    init(of day: Instant) {
        let date = day.civil.date
        year = date.year
        month = date.month
    }

    var text: String { String(Instant(daysSince1970: firstDay).dayText.dropLast(3)) }

    /// `October 2026`.
    var name: String { "\(Self.names[Int(month) - 1]) \(year)" }

    package var days: PacificDays {
        let date = CivilDate(year: year, month: month, day: 1)
        return PacificDays(
            from: firstDay, count: date.adding(months: 1).daysSince1970 - firstDay)
    }

    private var firstDay: Int64 { CivilDate(year: year, month: month, day: 1).daysSince1970 }

    private static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
}

/// Apple's fiscal calendar: years end on the last Saturday of September. From October on a quarter
/// has 5, 4 and 4 weeks; in a year of 53 weeks December has 5. A fiscal month has the name of the
/// calendar month that it mostly lies in, and that month's calendar year.
extension CalendarMonth {
    package var fiscalDays: PacificDays {
        let end = month >= 10 ? year + 1 : year
        var weeks = Self.weeks
        if Self.lastDay(ofFiscalYear: end) - Self.lastDay(ofFiscalYear: end - 1) == 53 * 7 {
            weeks[2] = 5
        }
        let index = Int(month + 2) % 12
        let before = weeks.prefix(index).reduce(0, +) * 7
        let first = Self.lastDay(ofFiscalYear: end - 1) + 1
        return PacificDays(from: first + before, count: weeks[index] * 7)
    }

    /// From October to September.
    private static let weeks: [Int64] = [5, 4, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4]

    /// The last Saturday of September. Day 0, 1970-01-01, was a Thursday.
    private static func lastDay(ofFiscalYear year: Int64) -> Int64 {
        let last = CivilDate(year: year, month: 9, day: 30).daysSince1970
        return last - (last + 5) % 7
    }
}

extension PacificDays {
    /// The calendar months in which these days lie.
    var months: [CalendarMonth] {
        var months = [CalendarMonth(of: first)]
        while let month = months.last, month.days.last < last {
            months.append(
                CalendarMonth(
                    of: month.days.last.advanced(byMilliseconds: Instant.millisecondsPerDay)))
        }
        return months
    }

    /// The calendar month whose days these are.
    var month: CalendarMonth? {
        let month = CalendarMonth(of: first)
        return month.days == self ? month : nil
    }

    /// The fiscal month whose days these are.
    var fiscalMonth: CalendarMonth? {
        let half = (last.milliseconds - first.milliseconds) / 2
        let month = CalendarMonth(of: first.advanced(byMilliseconds: half))
        return month.fiscalDays == self ? month : nil
    }
}
