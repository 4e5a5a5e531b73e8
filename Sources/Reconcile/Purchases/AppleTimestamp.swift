/// Apple's formats of an instant. `…_pst` is never read: it is Pacific time with daylight saving.
enum AppleTimestamp {
    /// Parses `_ms`: digits, sometimes with a fraction, for example `1476873599000.5`.
    static func instant(milliseconds text: some Collection<UInt8>) -> Instant? {
        let isNegative = text.first == UInt8(ascii: "-")
        let number = isNegative ? text.dropFirst() : text[...]
        var value: Int64 = 0
        var digits = 0
        for byte in number {
            guard byte.isDigit else { break }
            value = value * 10 + Int64(byte - 0x30)
            digits += 1
            guard digits <= 15 else { return nil }
        }
        guard digits > 0 else { return nil }
        if isNegative { value = -value }
        let rest = number.dropFirst(digits)
        if !rest.isEmpty {
            let fraction = rest.dropFirst()
            guard rest.first == UInt8(ascii: "."), !fraction.isEmpty,
                fraction.allSatisfy(\.isDigit)
            else { return nil }
            // Rounded down.
            if isNegative, fraction.contains(where: { $0 != 0x30 }) { value -= 1 }
        }
        let instant = Instant(milliseconds: value)
        return plausible.contains(instant) ? instant : nil
    }

    /// Parses `2019-05-21 17:33:21 Etc/GMT`, RFC 3339, and the milliseconds of iOS 6 answers.
    static func instant(text: some Collection<UInt8>) -> Instant? {
        if (12...13).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) {
            return instant(milliseconds: text)
        }
        let gmt: StaticString = " Etc/GMT"
        let suffix = UnsafeBufferPointer(start: gmt.utf8Start, count: gmt.utf8CodeUnitCount)
        guard text.count == 19 + suffix.count, text.suffix(suffix.count).elementsEqual(suffix)
        else { return Instant(rfc3339: String(decoding: text, as: UTF8.self)) }
        return Instant(rfc3339: String(decoding: text.prefix(19), as: UTF8.self) + "Z")
    }

    /// The years 1 to 9999.
    private static let plausible =
        Instant(milliseconds: -62_135_596_800_000)...Instant(milliseconds: 253_402_300_799_999)
}
