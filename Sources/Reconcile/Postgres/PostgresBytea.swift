enum PostgresBytea {
    /// `text` as UTF-8 bytes, whatever the database's encoding.
    static func text(_ text: String) -> String { Self.text(Array(text.utf8)) }

    static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 + 2 * bytes.count) { text in
            text[0] = UInt8(ascii: "\\")
            text[1] = UInt8(ascii: "x")
            for (index, byte) in bytes.enumerated() {
                text[2 * index + 2] = digit(byte >> 4)
                text[2 * index + 3] = digit(byte & 15)
            }
            return 2 + 2 * bytes.count
        }
    }

    /// Decodes `\x` followed by two lower-case digits a byte, as PostgreSQL prints it. Nil for
    /// anything else.
    ///
    /// Uses a table without bounds checks: decoding digit by digit took a quarter of the time of a
    /// replay, whose recorded answers have 25 KB.
    static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count.isMultiple(of: 2), text.starts(with: [0x5C, 0x78]) else { return nil }
        let digits = UnsafeRawBufferPointer(rebasing: text.dropFirst(2))
        // The table has high bits for bytes that are not digits; `seen` collects them.
        var seen: UInt8 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { bytes, count in
            count = digits.count / 2
            values.withUnsafeBufferPointer { seen = decode(digits, by: $0, into: bytes) }
        }
        return seen < 16 ? bytes : nil
    }

    private static func decode(
        _ digits: UnsafeRawBufferPointer, by values: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> UInt8 {
        guard let digits = digits.baseAddress, let table = values.baseAddress,
            let output = bytes.baseAddress
        else { return 0 }
        var seen: UInt8 = 0
        for index in 0..<bytes.count {
            let pair = UInt16(
                littleEndian: digits.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
            let first = table[Int(pair & 0xFF)]
            let second = table[Int(pair >> 8)]
            seen |= first | second
            output[index] = first << 4 | second & 15
        }
        return seen
    }

    /// Value of each byte as a hexadecimal digit; 255 when it is not one.
    private static let values: [UInt8] = (0...UInt8.max).map { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: 255
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
