/// A date in the proleptic Gregorian calendar, UTC.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
struct CivilDate: Equatable, Sendable {
    var year: Int64
    var month: Int64
    var day: Int64
}

extension CivilDate {
    init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Whether the day exists: 2024-02-30 does not.
    var exists: Bool {
        (1...12).contains(month) && day >= 1 && day <= Self.days(inMonth: month, of: year)
    }

    /// The same day, or the last day of a shorter month, as PostgreSQL adds an interval.
    func adding(months: Int64) -> CivilDate {
        let index = year * 12 + (month - 1) + months
        let newYear = index >= 0 ? index / 12 : (index - 11) / 12
        let newMonth = index - newYear * 12 + 1
        return CivilDate(
            year: newYear, month: newMonth,
            day: min(day, Self.days(inMonth: newMonth, of: newYear)))
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Instant {
    static let millisecondsPerDay: Int64 = 86_400_000

    /// Nil unless the date exists and the time is valid; leap seconds are not accepted.
    init?(date: CivilDate, hour: Int64, minute: Int64, second: Int64, millisecond: Int64 = 0) {
        guard date.exists, (0...23).contains(hour), (0...59).contains(minute),
            (0...59).contains(second), (0...999).contains(millisecond)
        else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
        self.init(milliseconds: seconds * 1_000 + millisecond)
    }

    /// The date in UTC, and the milliseconds since its midnight.
    var civil: (date: CivilDate, millisecondOfDay: Int64) {
        var day = milliseconds / Self.millisecondsPerDay
        var rest = milliseconds % Self.millisecondsPerDay
        if rest < 0 {
            day -= 1
            rest += Self.millisecondsPerDay
        }
        return (CivilDate(daysSince1970: day), rest)
    }
}
