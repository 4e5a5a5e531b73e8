let replacementCharacter: [UInt8] = [0xEF, 0xBF, 0xBD]

extension [UInt8] {
    /// Appends `text` as a JSON string, escaped after RFC 8259; NUL becomes U+FFFD.
    mutating func append(jsonString text: String) {
        var text = text
        text.withUTF8 { append(jsonString: $0) }
    }

    /// - Parameter utf8: the bytes of a text.
    mutating func append(jsonString utf8: UnsafeBufferPointer<UInt8>) {
        append(UInt8(ascii: "\""))
        let needsEscape = { (byte: UInt8) in byte < 32 || byte == 34 || byte == 92 }
        if utf8.contains(where: needsEscape) {
            for byte in utf8 { append(jsonEscaped: byte) }
        } else {
            self += utf8
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(jsonEscaped byte: UInt8) {
        switch byte {
        case 0: self += replacementCharacter
        case 8: self += #"\b"#.utf8
        case 9: self += #"\t"#.utf8
        case 10: self += #"\n"#.utf8
        case 12: self += #"\f"#.utf8
        case 13: self += #"\r"#.utf8
        case 34: self += #"\""#.utf8
        case 92: self += #"\\"#.utf8
        case 1..<32: self += #"\u00\#([byte].hexadecimal)"#.utf8
        default: append(byte)
        }
    }
}

extension String {
    package var jsonQuoted: String {
        var bytes: [UInt8] = []
        bytes.append(jsonString: self)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986.
    var percentEncoded: String {
        utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + [byte].hexadecimal.uppercased()
            }
        }.joined()
    }
}
