struct JSONWriter {
    /// A blank after commas, and line breaks before objects in lists.
    var isSpaced = false
    /// Writes `/` as `\/`.
    var escapesSlashes = false
    private(set) var bytes: [UInt8] = []

    init(isSpaced: Bool = false, escapesSlashes: Bool = false) {
        self.isSpaced = isSpaced
        self.escapesSlashes = escapesSlashes
        bytes.reserveCapacity(8_192)
    }

    /// Compact.
    static func bytes(of value: JSON) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(value)
        return writer.bytes
    }

    mutating func write(_ value: JSON) {
        switch value {
        case .text(let text): write(text)
        case .number(let number): bytes.append(contentsOf: String(number).utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .null: bytes.append(contentsOf: "null".utf8)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { separate() }
                if isSpaced { bytes.append(UInt8(ascii: "\n")) }
                write(value)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields):
            bytes.append(UInt8(ascii: "{"))
            for (index, field) in fields.all.enumerated() {
                if index > 0 { separate() }
                write(field.key)
                bytes.append(UInt8(ascii: ":"))
                write(field.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func separate() {
        bytes.append(UInt8(ascii: ","))
        if isSpaced { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            guard utf8.contains(where: needsEscape) else { return bytes.append(contentsOf: utf8) }
            for byte in utf8 {
                if needsEscape(byte) { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private func needsEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            || (escapesSlashes && byte == UInt8(ascii: "/"))
    }
}
