internal import Reconcile

/// Strict parsers for flag values, so that a typo is an error. None depends on a locale.
enum FlagValue {
    static func text(_ text: String) throws -> String {
        guard !text.isEmpty else {
            throw InvalidValue("is empty. Give a value, or leave the flag out.")
        }
        return text
    }

    static func bool(_ text: String) throws -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default: throw InvalidValue(text, isNot: "`true` or `false`")
        }
    }

    static func wholeNumber(
        _ range: ClosedRange<Int>
    ) -> @Sendable (String) throws -> Int {
        { text in
            guard let number = digits(text), range.contains(number) else {
                let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
                throw InvalidValue(
                    text, isNot: "a whole number from \(range.lowerBound)\(most)")
            }
            return number
        }
    }

    static func port(_ text: String) throws -> UInt16 {
        UInt16(try wholeNumber(0...65_535)(text))
    }

    /// From `least`, or above 0 when `least` is 0, to 100,000.
    static func number(
        atLeast least: Double
    ) -> @Sendable (String) throws -> Double {
        { text in
            guard let number = decimal(text), number > 0, number >= least, number <= 100_000 else {
                let limit = least > 0 ? "of at least \(Int(least))" : "above 0"
                throw InvalidValue(
                    text,
                    isNot: "a decimal number \(limit) and at most 100000, for example 10 or 12.5")
            }
            return number
        }
    }

    /// Parses a number and a unit, such as `1.5h`. Millisecond precision; at most 36,500 days.
    static func duration(
        _ least: Duration
    ) -> @Sendable (String) throws -> Duration {
        { text in
            let unit = text.drop { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let factor = milliseconds[String(unit)],
                let number = decimal(String(text[..<unit.startIndex])),
                number * factor <= 36_500 * 86_400_000,
                case let duration = Duration.milliseconds(Int64((number * factor).rounded())),
                duration >= least
            else {
                let limit = least > .zero ? " above 0" : ""
                throw InvalidValue(
                    text,
                    isNot: "a duration\(limit): a number and ms, s, m, h or d, at most 36500d, for"
                        + " example 90s")
            }
            return duration
        }
    }

    private static let milliseconds: [String: Double] = [
        "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]

    static func instant(_ text: String) throws -> Instant {
        guard let instant = Instant(rfc3339: text) else {
            throw InvalidValue(
                text, isNot: "an RFC 3339 instant, for example 2026-11-20T02:00:00Z")
        }
        return instant
    }

    static func allowance(_ text: String) throws -> Allowance {
        if text.hasSuffix("%"), let percent = decimal(String(text.dropLast())), percent <= 100 {
            return .percent(percent)
        }
        // A decimal point marks a share (0.01 is 1 %); a count is a whole number.
        if text.contains("."), let share = decimal(text), share <= 1 {
            return .percent(share * 100)
        }
        guard let count = digits(text) else {
            throw InvalidValue(
                text, isNot: "a share such as 1% or 0.01 (up to 100%) or a count such as 50")
        }
        return .count(count)
    }

    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String
    ) throws -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue(text, isNot: "one of \(choices)")
        }
        return choice
    }

    private static func digits(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    /// Accepts digits, optionally with a decimal point and more digits; no sign, no exponent.
    private static func decimal(_ text: String) -> Double? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else { return nil }
        return Double(text)
    }
}

extension FlagValue {
    /// Parses 16 or 6 bytes in hexadecimal, with `-`, `:` or nothing between the digits.
    static func deviceIdentifier(_ text: String) throws -> [UInt8] {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count, [12, 32].contains(values.count) else {
            throw InvalidValue(
                text,
                isNot: "a device identifier such as 6C690269-2CCD-4ECE-9B4A-0809162EBC82 or"
                    + " 00:1B:63:84:45:E6")
        }
        return stride(from: 0, to: values.count, by: 2).map {
            UInt8(values[$0] << 4 | values[$0 + 1])
        }
    }

    static func findingID(_ text: String) throws(InvalidValue) -> String {
        let isDigit = { (byte: UInt8) in
            (48...57).contains(byte) || (97...102).contains(byte)
        }
        let id = text.lowercased()
        guard (4...32).contains(id.utf8.count), id.utf8.allSatisfy(isDigit) else {
            throw InvalidValue(
                text,
                isNot: "a finding_id of a report, or its beginning: 4 to 32 hexadecimal digits")
        }
        return id
    }

    /// The first instant after a day, or an instant.
    static func end(_ text: String) throws -> Instant {
        if let day = Instant(rfc3339: text + "T00:00:00Z") { return day + .seconds(86_400) }
        guard let instant = Instant(rfc3339: text) else {
            throw InvalidValue(
                text, isNot: "a day or an instant, for example 2026-12-31 or 2026-12-31T12:00:00Z")
        }
        return instant
    }

    static func share(_ text: String) throws -> Double? {
        guard text != "off" else { return nil }
        guard text.hasSuffix("%"), let share = try? allowance(text),
            case .percent(let percent) = share
        else {
            throw InvalidValue(text, isNot: "a share such as 50% (up to 100%), or off")
        }
        return percent
    }

    /// Nil for `off`.
    static func orOff<Value>(
        _ text: String, _ read: (String) throws -> Value
    ) throws -> Value? {
        guard text != "off" else { return nil }
        do {
            return try read(text)
        } catch let error as InvalidValue {
            throw InvalidValue(error.reason.dropLast() + ", or off.")
        }
    }
}

/// Why a value is refused and what is allowed: the part of the message after the flag's name.
struct InvalidValue: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ text: String, isNot wanted: String) {
        reason = "\"\(text)\" is not \(wanted)."
    }
}
