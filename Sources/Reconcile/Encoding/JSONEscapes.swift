/// Resolves the escapes of a JSON string that the scanner has already checked.
enum JSONEscapes {
    static func resolved(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
                result.append(text[index])
                index += 1
                continue
            }
            index += 2
            switch text[index - 1] {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"): appendScalar(at: &index, of: text, to: &result)
            case let byte: result.append(byte)
            }
        }
        return result
    }

    /// Reads the four digits at `index`, and the second half of a surrogate pair after them.
    private static func appendScalar(
        at index: inout Int, of text: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]
    ) {
        let first = codeUnit(at: index, text)
        index += 4
        var value = UInt32(first)
        let isPairPossible =
            (0xD800..<0xDC00).contains(first) && index + 6 <= text.count
            && text[index] == UInt8(ascii: "\\") && text[index + 1] == UInt8(ascii: "u")
        if isPairPossible {
            let second = codeUnit(at: index + 2, text)
            if (0xDC00..<0xE000).contains(second) {
                value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
                index += 6
            }
        }
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        result += UTF8.encode(scalar).map(Array.init) ?? []
    }

    private static func codeUnit(at index: Int, _ text: UnsafeBufferPointer<UInt8>) -> UInt16 {
        (0..<4).reduce(0) { $0 << 4 | UInt16(hexadecimalValue(text[index + $1]) ?? 0) }
    }
}

func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}
