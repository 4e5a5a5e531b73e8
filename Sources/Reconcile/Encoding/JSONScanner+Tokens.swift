extension JSONScanner {
    @inline(__always)
    mutating func string() throws(JSONError) -> JSONValue {
        let start = position + 1
        let end = endOfPlainASCII(from: start)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            return try unusualString(from: start, plainUntil: end)
        }
        position = end + 1
        return JSONValue(.string, start: start, count: end - start)
    }

    @inline(never)
    private mutating func unusualString(
        from start: Int, plainUntil end: Int
    ) throws(JSONError) -> JSONValue {
        var kind = JSONValue.Kind.string
        position = end
        while true {
            guard position < bytes.count else { throw .unexpected(at: position) }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return JSONValue(kind, start: start, count: position - 1 - start)
            case UInt8(ascii: "\\"):
                kind = .escapedString
                try skipEscape()
            case 0x80...: try skipMultibyteScalar()
            default: throw .unexpected(at: position)
            }
            position = endOfPlainASCII(from: position)
        }
    }

    /// The end of the plain ASCII from `start`: no control, quote or backslash.
    @inline(__always)
    private func endOfPlainASCII(from start: Int) -> Int {
        var index = start
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return index }
        let lastWord = bytes.count &- 8
        while index <= lastWord {
            let found = Self.marks(
                in: base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian)
            if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C else { break }
            index += 1
        }
        return index
    }

    /// The highest bit of each byte that is a control, a quote, a backslash, or above 0x7F. Only
    /// the lowest mark is exact: a subtraction may borrow from the next byte.
    @inline(__always)
    private static func marks(in word: UInt64) -> UInt64 {
        // Exchanges the quote, 0x22, with the space: it is then below 0x21, as controls are.
        let quotesAndControls = (word ^ 0x0202_0202_0202_0202) &- 0x2121_2121_2121_2121
        let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        return (quotesAndControls | backslashes | word) & 0x8080_8080_8080_8080
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

    /// Skips one well-formed UTF-8 sequence of two to four bytes (Unicode, table 3-7).
    private mutating func skipMultibyteScalar() throws(JSONError) {
        let first = bytes[position]
        let count: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: count = 2
        case 0xE0:
            count = 3
            second = 0xA0...0xBF
        case 0xED:
            count = 3
            second = 0x80...0x9F
        case 0xE1...0xEF: count = 3
        case 0xF0:
            count = 4
            second = 0x90...0xBF
        case 0xF4:
            count = 4
            second = 0x80...0x8F
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

    mutating func number() throws(JSONError) -> JSONValue {
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
        return JSONValue(.number, start: start, count: position - start)
    }

    mutating func literal(
        _ word: StaticString, _ kind: JSONValue.Kind
    ) throws(JSONError) -> JSONValue {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count else { throw .unexpected(at: position) }
        for offset in 0..<count where bytes[position + offset] != word.utf8Start[offset] {
            throw .unexpected(at: position)
        }
        position += count
        return JSONValue(kind)
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let digit = byte, (0x30...0x39).contains(digit) { position += 1 }
        guard position > start else { throw .unexpected(at: position) }
    }
}
