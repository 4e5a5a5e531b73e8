/// A date and time of day in the proleptic Gregorian calendar, in UTC. Source: Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms".
struct CivilTime {
    let year: Int
    /// 1 to 12.
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int

    init(_ moment: Moment) {
        let seconds = Int(moment.milliseconds / 1_000)
        let days = seconds / 86_400
        let rest = seconds % 86_400
        hour = rest / 3_600
        minute = rest / 60 % 60
        second = rest % 60
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year % 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    static func daysInMonth(_ year: Int, _ month: Int) -> Int {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return Int(dayNumber(next.0, next.1, 1) - dayNumber(year, month, 1))
    }

    /// The day number of a month's nth Sunday, counted from 1.
    static func sunday(_ ordinal: Int, _ year: Int, _ month: Int) -> Int64 {
        let first = dayNumber(year, month, 1)
        // 1970-01-01 was a Thursday.
        let weekday = (first + 4) % 7
        return first + (7 - weekday) % 7 + Int64(7 * (ordinal - 1))
    }
}
