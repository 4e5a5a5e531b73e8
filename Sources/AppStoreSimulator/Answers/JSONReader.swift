/// Reads strings and words of JSON, strictly as far as requests need it.
struct JSONReader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return position == bytes.count
        }
    }

    var isAtString: Bool {
        mutating get {
            skipBlanks()
            return position < bytes.count && bytes[position] == UInt8(ascii: "\"")
        }
    }

    mutating func skipBlanks() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Parses `true`, `false`, `null` or a number.
    mutating func word() -> [UInt8]? {
        let start = position
        while position < bytes.count, !",}] \r\n\t\"{[".utf8.contains(bytes[position]) {
            position += 1
        }
        return position > start ? Array(bytes[start..<position]) : nil
    }

    mutating func string() -> [UInt8]? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return Array(bytes[start..<position - 1])
            case UInt8(ascii: "\\"): return escapedString(from: start)
            default: position += 1
            }
        }
        return nil
    }

    /// Parses from the string's first escape on. `\u` escapes must be ASCII.
    private mutating func escapedString(from start: Int) -> [UInt8]? {
        var text = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            guard byte != UInt8(ascii: "\"") else { return text }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard position < bytes.count else { return nil }
            let escape = bytes[position]
            position += 1
            switch escape {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                let digits = bytes[position...].prefix(4)
                guard digits.count == 4,
                    let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                text.append(code)
                position += 4
            default: text.append(escape)
            }
        }
        return nil
    }
}
