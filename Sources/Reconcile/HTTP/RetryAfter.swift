enum RetryAfter {
    /// The longest delay in `values`, from zero to one hour; nil when none can be parsed.
    ///
    /// A value is seconds, a date (RFC 9110, 10.2.3), UNIX time in seconds or, as Apple's server
    /// API sends it, in milliseconds; or a list of these. A time is relative to `date`, the
    /// server's own `Date` header, so that our clock need not be right; without one, to
    /// `nowMilliseconds`.
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

    private static func delay(_ value: Substring, nowMilliseconds now: Int64) -> Int64? {
        if let delay = single(value, now) { return delay }
        // Several values in one header. A date also contains a comma, after the weekday.
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return nil }
        let pairs = zip(parts, parts.dropFirst()).map { String($0.0) + "," + String($0.1) }
        return (parts.map(String.init) + pairs)
            .compactMap { single(trimmed($0), now) }.max()
    }

    private static func single(_ value: Substring, _ now: Int64) -> Int64? {
        let isNumber = !value.isEmpty && value.utf8.allSatisfy { (48...57).contains($0) }
        guard isNumber else {
            return HTTPDate.milliseconds(String(value), nowMilliseconds: now).map { $0 - now }
        }
        guard let number = Int64(value), number < 1_000_000_000_000_000 else { return .max }
        switch value.utf8.count {
        case 12...14: return number - now
        // UNIX time in seconds if it is within a day of now; else a number of seconds.
        case 10 where abs(number * 1_000 - now) < 86_400_000: return number * 1_000 - now
        default: return number * 1_000
        }
    }

    private static func trimmed(_ value: String) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var rest = value.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
