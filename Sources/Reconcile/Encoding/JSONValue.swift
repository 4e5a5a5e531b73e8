/// A reference to a value in the bytes of a JSON document.
struct JSONValue: Equatable {
    enum Kind: UInt32 {
        case absent
        case string
        case escapedString
        case number
        case `false`, `true`, null
        case container
    }

    private let offset: UInt32
    /// The count; the lowest three bits hold the kind.
    private let extent: UInt32

    /// - Parameter start: the offset of the first byte after the quote, or of the number.
    init(_ kind: Kind, start: Int = 0, count: Int = 0) {
        offset = UInt32(truncatingIfNeeded: start)
        extent = UInt32(truncatingIfNeeded: count) << 3 | kind.rawValue
    }

    static let absent = JSONValue(.absent)

    var start: Int { Int(offset) }
    var count: Int { Int(extent >> 3) }
    var kind: Kind { Kind(rawValue: extent & 7) ?? .absent }

    var isAbsent: Bool { extent & 7 == 0 }

    var isString: Bool { kind == .string || kind == .escapedString }

    /// A string that is not empty, or a number.
    var isText: Bool {
        switch kind {
        case .string, .escapedString: extent > 7
        case .number: true
        case .absent, .false, .true, .null, .container: false
        }
    }

    /// Self if `isText`, else nil: null and an empty string count as no value.
    var text: JSONValue? { isText ? self : nil }
}

extension JSONValue {
    func raw(in bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[start..<start + count])
    }

    /// The text with its escapes resolved. A lone surrogate becomes U+FFFD.
    func string(in bytes: UnsafeBufferPointer<UInt8>) -> String {
        kind == .escapedString
            ? String(decoding: JSONEscapes.resolved(raw(in: bytes)), as: UTF8.self)
            : String(decoding: raw(in: bytes), as: UTF8.self)
    }

    func equals(_ other: JSONValue, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if kind == .escapedString || other.kind == .escapedString {
            return resolved(in: bytes) == other.resolved(in: bytes)
        }
        return raw(in: bytes).hasSameBytes(as: other.raw(in: bytes))
    }

    func equals(_ word: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        if kind == .escapedString { return resolved(in: bytes).elementsEqual(word) }
        return raw(in: bytes).hasSameBytes(as: word)
    }

    func resolved(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        kind == .escapedString
            ? JSONEscapes.resolved(raw(in: bytes)) : Array(raw(in: bytes))
    }
}

extension JSONValue {
    /// `true`, `"true"`, `1`, `"1"` and their opposites; nil for any other value.
    func flag(in bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        switch kind {
        case .true: return true
        case .false: return false
        case .absent, .null, .container: return nil
        case .string, .escapedString, .number:
            if equals("false", in: bytes) || equals("0", in: bytes) { return false }
            return equals("true", in: bytes) || equals("1", in: bytes) ? true : nil
        }
    }

    /// A whole number, or its digits in a string; nil for `+5`, `1e3` or ` 5`.
    func integer(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard isText else { return nil }
        return kind == .escapedString
            ? Int(digits: resolved(in: bytes)) : Int(digits: raw(in: bytes))
    }
}

extension Int {
    /// Nil unless `text` is digits, perhaps after a minus, and the number fits.
    init?(digits text: some Collection<UInt8>) {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty else { return nil }
        var value = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            let (tens, overflows) = value.multipliedReportingOverflow(by: 10)
            let unit = Int(digit - 0x30)
            let (next, isBeyond) =
                isNegative
                ? tens.subtractingReportingOverflow(unit) : tens.addingReportingOverflow(unit)
            guard !overflows, !isBeyond else { return nil }
            value = next
        }
        self = value
    }
}
