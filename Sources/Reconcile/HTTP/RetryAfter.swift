/// When a server says to come back.
enum RetryAfter {
    /// The longest delay of the `Retry-After` lines `values`, between nothing and one hour; nil
    /// when none of them can be read.
    ///
    /// A line is seconds, a date (RFC 9110, 10.2.3), or UNIX time in milliseconds, as Apple's
    /// server API sends it. A time is measured from `date`, the server's own `Date` line, so that
    /// our clock need not be right; without one, from `nowMilliseconds`.
    static func delay(
        _ values: [String], date: String?, nowMilliseconds: Int64
    ) -> Duration? {
        let now =
            date.flatMap { HTTPDate.milliseconds($0, nowMilliseconds: nowMilliseconds) }
            ?? nowMilliseconds
        return values.compactMap { delay(trimmed($0), nowMilliseconds: now) }
            .max()
            .map { .milliseconds(min(max(0, $0), 3_600_000)) }
    }

    private static func delay(_ value: Substring, nowMilliseconds: Int64) -> Int64? {
        let isNumber = value.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        switch value.utf8.count {
        case 1...9 where isNumber: return Int64(value).map { $0 * 1_000 }
        case 12...14 where isNumber: return Int64(value).map { $0 - nowMilliseconds }
        default:
            return HTTPDate.milliseconds(String(value), nowMilliseconds: nowMilliseconds)
                .map { $0 - nowMilliseconds }
        }
    }

    private static func trimmed(_ value: String) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var rest = value.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
