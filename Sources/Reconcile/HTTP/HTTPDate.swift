internal import Glibc

/// Parses the three date formats of HTTP (RFC 9110, 5.6.7) strictly.
enum HTTPDate {
    /// Nil unless `text` is a date that exists and falls on the given weekday. A two-digit year of
    /// the obsolete format is at most 50 years after `nowMilliseconds`.
    static func milliseconds(_ text: String, nowMilliseconds: Int64) -> Int64? {
        for form in [internetMessage, obsolete, asctime] {
            var reader = Reader(text)
            guard var fields = form(&reader), reader.isAtEnd else { continue }
            if fields.year < 100 { fields.year += century(fields.year, nowMilliseconds) }
            return fields.milliseconds
        }
        return nil
    }

    /// For example `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func internetMessage(_ reader: inout Reader) -> Fields? {
        guard let weekday = reader.name(shortWeekdays), reader.skip(", "),
            let day = reader.number(2), reader.skip(" "), let month = reader.name(months),
            reader.skip(" "), let year = reader.number(4), year >= 100, reader.skip(" "),
            let second = reader.time(), reader.skip(" GMT")
        else { return nil }
        return Fields(weekday: weekday, day: day, month: month, year: year, second: second)
    }

    /// For example `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func obsolete(_ reader: inout Reader) -> Fields? {
        guard let weekday = reader.name(longWeekdays), reader.skip(", "),
            let day = reader.number(2), reader.skip("-"), let month = reader.name(months),
            reader.skip("-"), let year = reader.number(2), reader.skip(" "),
            let second = reader.time(), reader.skip(" GMT")
        else { return nil }
        return Fields(weekday: weekday, day: day, month: month, year: year, second: second)
    }

    /// For example `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ reader: inout Reader) -> Fields? {
        guard let weekday = reader.name(shortWeekdays), reader.skip(" "),
            let month = reader.name(months), reader.skip(" "),
            let day = reader.skip(" ") ? reader.number(1) : reader.number(2), reader.skip(" "),
            let second = reader.time(), reader.skip(" "), let year = reader.number(4), year >= 100
        else { return nil }
        return Fields(weekday: weekday, day: day, month: month, year: year, second: second)
    }

    private static func century(_ year: Int, _ nowMilliseconds: Int64) -> Int {
        var now = time_t(nowMilliseconds / 1_000)
        var fields = tm()
        gmtime_r(&now, &fields)
        let thisYear = Int(fields.tm_year) + 1900
        return (thisYear + 50 - year) / 100 * 100
    }

    private static let shortWeekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longWeekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

private struct Fields {
    var weekday: Int
    var day: Int
    var month: Int
    var year: Int
    var second: Int

    var milliseconds: Int64? {
        var fields = tm()
        fields.tm_year = Int32(year - 1900)
        fields.tm_mon = Int32(month)
        fields.tm_mday = Int32(day)
        let midnight = timegm(&fields)
        // timegm turns 30 February into a date in March.
        guard fields.tm_mday == day, fields.tm_mon == month, fields.tm_wday == weekday else {
            return nil
        }
        return Int64(midnight + second) * 1_000
    }
}

private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ literal: String) -> Bool {
        guard rest.starts(with: literal.utf8) else { return false }
        rest.removeFirst(literal.utf8.count)
        return true
    }

    /// Consumes one of `names` and returns its index.
    mutating func name(_ names: [String]) -> Int? {
        guard let index = names.firstIndex(where: { rest.starts(with: $0.utf8) }) else {
            return nil
        }
        rest.removeFirst(names[index].utf8.count)
        return index
    }

    mutating func number(_ digits: Int) -> Int? {
        guard rest.count >= digits else { return nil }
        var value = 0
        for byte in rest.prefix(digits) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        rest.removeFirst(digits)
        return value
    }

    /// Parses `08:49:37` as seconds since midnight.
    mutating func time() -> Int? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60,
            skip(":"), let second = number(2), second < 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }
}
