/// Strings and numbers, byte by byte.
extension JSONScanner {
    /// Reads a string whose opening quote is next.
    mutating func string() throws(JSONError) -> JSONText {
        position += 1
        let start = position
        var isEscaped = false
        while true {
            skipPlainASCII()
            guard position < bytes.count else { throw .unexpected(at: position) }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return JSONText(start: start, count: position - start, isEscaped: isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                try skipEscape()
            case 0x80...: try skipMultibyteScalar()
            default: throw .unexpected(at: position)
            }
        }
    }

    /// Passes over ASCII that needs no look, eight bytes at a time: most of an answer is such.
    private mutating func skipPlainASCII() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        let base = UnsafeRawPointer(bytes.baseAddress)
        while let base, bytes.count - position >= 8 {
            let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let found =
                ((word &- ones &* 0x20) | (quote &- ones) & ~quote
                    | (backslash &- ones) & ~backslash | word) & highBits
            if found != 0 {
                position += found.trailingZeroBitCount / 8
                break
            }
            position += 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C else { return }
            position += 1
        }
    }

    private mutating func skipEscape() throws(JSONError) {
        guard position + 1 < bytes.count else { throw .unexpected(at: position) }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        case UInt8(ascii: "u"):
            guard position + 6 <= bytes.count else { throw .unexpected(at: position) }
            for offset in 2..<6 where hexadecimalValue(bytes[position + offset]) == nil {
                throw .unexpected(at: position + offset)
            }
            position += 6
        default: throw .unexpected(at: position + 1)
        }
    }

    /// One well-formed UTF-8 sequence of two to four bytes (Unicode, table 3-7).
    private mutating func skipMultibyteScalar() throws(JSONError) {
        let first = bytes[position]
        let count: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: count = 4
        default: throw .invalidUTF8(at: position)
        }
        guard position + count <= bytes.count, second.contains(bytes[position + 1]) else {
            throw .invalidUTF8(at: position)
        }
        for offset in 2..<max(2, count) where !(0x80...0xBF).contains(bytes[position + offset]) {
            throw .invalidUTF8(at: position)
        }
        position += count
    }

    /// Reads a number: an optional minus, digits without a leading zero, fraction, exponent.
    mutating func number() throws(JSONError) -> JSONText {
        let start = position
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if byte == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return JSONText(start: start, count: position - start, isEscaped: false)
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let digit = byte, (0x30...0x39).contains(digit) { position += 1 }
        guard position > start else { throw .unexpected(at: position) }
    }
}
