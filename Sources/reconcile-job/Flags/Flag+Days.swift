internal import Reconcile

extension Flag {
    /// Which days a command is about.
    static let days: [Flag] = [
        .value(
            "month", "YYYY-MM", "the days of this calendar month, in Pacific time", of: [.period],
            to: \.period.month
        ) { text in try FlagValue.month(text) },
        .value(
            "fiscal", "YYYY-MM",
            "the days of Apple's fiscal month that mostly lies in this calendar month",
            of: [.period], to: \.period.fiscal
        ) { text in try FlagValue.month(text) },
        .value(
            "from", "DAY", "the first day, in Pacific time, for example 2026-10-01",
            default: .described("of tie-out: the first day of the files"),
            of: [.period, .tieOut], to: \.period.from
        ) { text in try FlagValue.day(text) },
        .value(
            "to", "DAY", "the last day",
            default: .described("of tie-out: the last day of the files"),
            of: [.period, .tieOut], to: \.period.to
        ) { text in try FlagValue.day(text) },
    ]
}

extension FlagValue {
    static func month(_ text: String) throws -> CalendarMonth {
        guard let month = CalendarMonth(text) else {
            throw InvalidValue(text, isNot: "a month from 2008 on, for example 2026-10")
        }
        return month
    }

    static func day(_ text: String) throws -> Instant {
        guard let day = Instant(day: text) else {
            throw InvalidValue(text, isNot: "a day from 2008 on, for example 2026-10-31")
        }
        return day
    }
}
