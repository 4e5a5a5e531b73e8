/// One statement, with the name that errors say in place of its text.
struct PostgresStatement: Sendable, Hashable {
    let name: String
    let text: String
}

/// An array in the text form of PostgreSQL: one parameter for `any($1)` or `unnest($1)`.
enum PostgresArray {
    static func text(_ elements: some Sequence<String>) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for element in elements {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\""))
            for byte in element.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    bytes.append(UInt8(ascii: "\\"))
                }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }

    static func bytea(_ elements: some Sequence<[UInt8]>) -> String {
        text(elements.map { PostgresBytea.text($0) })
    }

    static func integers(_ elements: some Sequence<Int>) -> String {
        "{" + elements.map { String($0) }.joined(separator: ",") + "}"
    }
}

/// A `bytea` in the text form of PostgreSQL.
enum PostgresBytea {
    /// `text` as UTF-8, whatever encoding the database is in.
    static func text(_ text: String) -> String { Self.text(text.utf8) }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "\\x" + String(decoding: text, as: UTF8.self)
    }
}
