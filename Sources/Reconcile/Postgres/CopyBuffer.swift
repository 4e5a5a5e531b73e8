/// Rows in the text format of `copy … from stdin`: columns in order, then `endRow`. A NUL, which
/// PostgreSQL cannot store, becomes U+FFFD.
struct CopyBuffer: Sendable {
    private(set) var bytes: [UInt8] = []
    private var isAtStartOfRow = true

    mutating func append(_ text: String?) {
        startColumn()
        guard var text else { return appendNull() }
        text.withUTF8 { utf8 in
            if utf8.contains(where: Self.isSpecial) {
                for byte in utf8 { appendEscaped(byte) }
            } else {
                bytes.append(contentsOf: utf8)
            }
        }
    }

    mutating func append(_ number: Int?) {
        startColumn()
        guard let number else { return appendNull() }
        bytes.append(contentsOf: String(number).utf8)
    }

    mutating func append(_ flag: Bool?) {
        startColumn()
        guard let flag else { return appendNull() }
        bytes.append(UInt8(ascii: flag ? "t" : "f"))
    }

    /// Appends a `bytea` given in hexadecimal.
    mutating func append(hexadecimal digits: String?) {
        append(digits.map { "\\x" + $0 })
    }

    mutating func endRow() {
        bytes.append(UInt8(ascii: "\n"))
        isAtStartOfRow = true
    }

    private mutating func startColumn() {
        if !isAtStartOfRow { bytes.append(UInt8(ascii: "\t")) }
        isAtStartOfRow = false
    }

    private mutating func appendNull() {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(ascii: "N"))
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0, UInt8(ascii: "\\"), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case 0: bytes.append(contentsOf: "\u{FFFD}".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
        default: bytes.append(byte)
        }
    }
}
