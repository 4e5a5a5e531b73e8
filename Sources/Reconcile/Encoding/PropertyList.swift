/// A flat OpenStep property list, `{ "key" = "value"; … }`: the format of iOS 6 receipts.
struct PropertyList: Equatable {
    private(set) var values: [String: String] = [:]

    /// Nil unless `bytes` are exactly one list of strings: nested lists are refused.
    init?(_ bytes: [UInt8]) {
        var scanner = Scanner(bytes: bytes)
        guard scanner.take(UInt8(ascii: "{")) else { return nil }
        while !scanner.take(UInt8(ascii: "}")) {
            guard let key = scanner.string(), scanner.take(UInt8(ascii: "=")),
                let value = scanner.string(), scanner.take(UInt8(ascii: ";")),
                values.updateValue(value, forKey: key) == nil
            else { return nil }
        }
        scanner.skipSpace()
        guard scanner.isAtEnd else { return nil }
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func skipSpace() {
            while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        }

        mutating func take(_ byte: UInt8) -> Bool {
            skipSpace()
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        /// A quoted string, or a bare word of letters, digits, `-`, `_`, `.` and `/`.
        mutating func string() -> String? {
            guard take(UInt8(ascii: "\"")) else { return word() }
            var text: [UInt8] = []
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                switch byte {
                case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard position < bytes.count else { return nil }
                    text.append(bytes[position])
                    position += 1
                default: text.append(byte)
                }
            }
            return nil
        }

        private mutating func word() -> String? {
            let start = position
            while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
            guard position > start else { return nil }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        private static func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
            default: false
            }
        }
    }
}
