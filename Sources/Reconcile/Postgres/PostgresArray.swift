/// Arrays in PostgreSQL's text format: one parameter for `any($1)` or `unnest($1)`.
enum PostgresArray {
    static func text(_ elements: some Sequence<String>) -> String {
        nullable(elements.lazy.map(Optional.some))
    }

    static func nullable(_ elements: some Sequence<String?>) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for element in elements {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            guard let element else {
                bytes.append(contentsOf: "null".utf8)
                continue
            }
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

    static func integers(_ elements: some Sequence<some BinaryInteger>) -> String {
        "{" + elements.map { String($0) }.joined(separator: ",") + "}"
    }
}
