/// A cell of a report: the bytes between two tabs, without the blanks around them.
struct ReportCell {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        var range = bytes.startIndex..<bytes.endIndex
        while let first = range.first, Self.isBlank(bytes[first]) { range.removeFirst() }
        while let last = range.last, Self.isBlank(bytes[last]) {
            range = range.lowerBound..<last
        }
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[range])
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// For a message: at most 40 characters.
    var quoted: String {
        let shown = text.prefix(40)
        let isCut = shown.endIndex < text.endIndex
        return "\"\(String(shown).escapingControls())\(isCut ? "…" : "")\""
    }

    func id<Tag>() -> Identifier<Tag> {
        bytes.withMemoryRebound(to: UInt8.self) { Identifier($0) }
    }

    /// Midnight UTC of a day as `MM/DD/YYYY`; nil for another text or a day that does not exist.
    var day: Instant? {
        guard bytes.count == 10, bytes[2] == UInt8(ascii: "/"), bytes[5] == UInt8(ascii: "/"),
            let month = Self.number(bytes[0..<2]), let day = Self.number(bytes[3..<5]),
            let year = Self.number(bytes[6..<10]), year > 0
        else { return nil }
        let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day))
        return Instant(date: date, hour: 0, minute: 0, second: 0)
    }

    /// A whole number of at most 15 digits, also with a minus, and as Apple prints it: `3.00`.
    var number: Int? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let parts = bytes.dropFirst(isNegative ? 1 : 0).split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, whole.count <= Self.mostDigits,
            let magnitude = Self.number(whole)
        else { return nil }
        if let fraction = parts.dropFirst().first {
            guard !fraction.isEmpty, fraction.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
                return nil
            }
        }
        return isNegative ? -magnitude : magnitude
    }

    /// More digits than units can have, and few enough that sums of rows fit into 64 bits.
    static let mostDigits = 15

    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var value = 0
        for byte in digits {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }
}
