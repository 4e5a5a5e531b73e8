/// Whole milliseconds since 1970-01-01T00:00:00Z. `Foundation.Date` is a `Double` and can lose the
/// last millisecond.
package struct Instant: Hashable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// PostgreSQL's `infinity`: later than every other instant.
    static let distantFuture = Instant(milliseconds: .max)
    /// PostgreSQL's `-infinity`: earlier than every other instant.
    static let distantPast = Instant(milliseconds: .min)

    var isFinite: Bool { self != .distantFuture && self != .distantPast }

    package static func + (instant: Instant, interval: Duration) -> Instant {
        instant.advanced(byMilliseconds: interval.inMilliseconds)
    }

    /// The instant `count` milliseconds later; `distantFuture` or `distantPast` on overflow.
    func advanced(byMilliseconds count: Int64) -> Instant {
        guard isFinite else { return self }
        let (sum, overflow) = milliseconds.addingReportingOverflow(count)
        guard !overflow else { return count < 0 ? .distantPast : .distantFuture }
        return Instant(milliseconds: sum)
    }

    package static func - (instant: Instant, interval: Duration) -> Instant {
        instant + (.zero - interval)
    }

    /// Rounded down, as it is printed.
    var wholeSecond: Instant {
        isFinite
            ? Instant(milliseconds: milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) : self
    }
}

extension Instant: Comparable {
    package static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero, saturating.
    package var inMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflows ? whole : sum
    }
}

/// Formats and parses RFC 3339. Foundation's parser drops fractions and accepts February 30th.
extension Instant: CustomStringConvertible {
    /// `2026-11-21T02:00:00Z`: whole seconds, rounded down. `infinity`, as in PostgreSQL.
    package var description: String { formatted(dateSeparator: "-", timeSeparator: ":") }

    var basicDescription: String { formatted(dateSeparator: "", timeSeparator: "") }

    private func formatted(dateSeparator: String, timeSeparator: String) -> String {
        guard isFinite else { return self == .distantFuture ? "infinity" : "-infinity" }
        let (date, millisecondOfDay) = civil
        let second = millisecondOfDay / 1_000
        let year = date.year < 0 ? "-" + padded(-date.year, to: 4) : padded(date.year, to: 4)
        let day = [year, padded(date.month, to: 2), padded(date.day, to: 2)]
        let time = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, to: 2) }
        return day.joined(separator: dateSeparator) + "T"
            + time.joined(separator: timeSeparator) + "Z"
    }

    /// Parses for example `2026-11-21T02:00:00.123+01:00`. Cuts a fraction after three digits.
    package init?(rfc3339 text: String) { self.init(rfc3339: Array(text.utf8)[...]) }

    init?(rfc3339 text: ArraySlice<UInt8>) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(digits: 4), scanner.take("-"),
            let month = scanner.number(digits: 2), scanner.take("-"),
            let day = scanner.number(digits: 2),
            scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let hour = scanner.number(digits: 2), scanner.take(":"),
            let minute = scanner.number(digits: 2), scanner.take(":"),
            let second = scanner.number(digits: 2),
            let millisecond = scanner.fraction(), let offset = scanner.offset(), scanner.isAtEnd,
            let local = Instant(
                date: CivilDate(year: year, month: month, day: day), hour: hour, minute: minute,
                second: second, millisecond: millisecond)
        else { return nil }
        self.init(milliseconds: local.milliseconds - offset)
    }
}

private func padded(_ number: Int64, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}

struct DigitScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(digits: Int) -> Int64? {
        let field = rest.prefix(digits)
        guard field.count == digits, field.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        rest.removeFirst(digits)
        return field.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }

    /// Milliseconds from `.5` or `.123456`; zero without a fraction.
    mutating func fraction() -> Int64? {
        guard take(".") else { return 0 }
        let digits = rest.prefix { (48...57).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        let first = digits.prefix(3).reduce(0) { $0 * 10 + Int64($1 - 48) }
        return digits.count == 1 ? first * 100 : digits.count == 2 ? first * 10 : first
    }

    /// `Z` or `+01:00`, as milliseconds east of UTC.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = number(digits: 2), take(":"), let minutes = number(digits: 2),
            hours <= 23, minutes <= 59
        else { return nil }
        return sign * (hours * 60 + minutes) * 60_000
    }
}
