/// A string or number of a JSON document, still in the document's bytes: nothing is copied until
/// somebody asks for the text.
struct JSONText {
    /// The bytes between the quotes, or of the number.
    let start: Int
    let count: Int
    let isEscaped: Bool

    var isEmpty: Bool { count == 0 }

    func raw(in bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[start..<start + count])
    }

    /// The text with its escapes resolved. A lone surrogate becomes U+FFFD.
    func string(in bytes: UnsafeBufferPointer<UInt8>) -> String {
        isEscaped
            ? String(decoding: unescaped(in: bytes), as: UTF8.self)
            : String(decoding: raw(in: bytes), as: UTF8.self)
    }

    func equals(_ other: JSONText, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if isEscaped || other.isEscaped {
            return unescaped(in: bytes) == other.unescaped(in: bytes)
        }
        return raw(in: bytes).hasSameBytes(as: other.raw(in: bytes))
    }

    func equals(_ word: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        if isEscaped { return unescaped(in: bytes).elementsEqual(word) }
        return raw(in: bytes).hasSameBytes(as: word)
    }

    private func unescaped(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        let end = start + count
        var index = start
        while index < end {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < end else {
                result.append(bytes[index])
                index += 1
                continue
            }
            index += 2
            switch bytes[index - 1] {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"): appendScalar(at: &index, to: &result, bytes)
            case let byte: result.append(byte)
            }
        }
        return result
    }

    /// Reads the four digits at `index`, and the second half of a surrogate pair after them.
    private func appendScalar(
        at index: inout Int, to result: inout [UInt8], _ bytes: UnsafeBufferPointer<UInt8>
    ) {
        let first = codeUnit(at: index, bytes)
        index += 4
        var value = UInt32(first)
        let isPairPossible =
            (0xD800..<0xDC00).contains(first) && index + 6 <= start + count
            && bytes[index] == UInt8(ascii: "\\") && bytes[index + 1] == UInt8(ascii: "u")
        if isPairPossible {
            let second = codeUnit(at: index + 2, bytes)
            if (0xDC00..<0xE000).contains(second) {
                value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
                index += 6
            }
        }
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        result += UTF8.encode(scalar).map(Array.init) ?? []
    }

    private func codeUnit(at index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt16 {
        (0..<4).reduce(0) { $0 << 4 | UInt16(hexadecimalValue(bytes[index + $1]) ?? 0) }
    }
}

/// A value that is read whole, or a container that was passed over.
enum JSONScalar {
    case string(JSONText)
    case number(JSONText)
    case boolean(Bool)
    case null
    case container
}

/// 0–15 for a hexadecimal digit of either case.
func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}
