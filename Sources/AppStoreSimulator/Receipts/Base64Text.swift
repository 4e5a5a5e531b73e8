enum Base64Text {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of each character; 64 when invalid.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let rest = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16 | (rest > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (rest > 2 ? UInt32(bytes[index + 2]) : 0)
            text.append(alphabet[Int(group >> 18)])
            text.append(alphabet[Int(group >> 12 & 63)])
            text.append(rest > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
            text.append(rest > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
            index += 3
        }
        return text
    }

    /// Decodes as strictly as Apple: nil for anything but whole groups of the standard alphabet.
    static func decoded(strictly text: [UInt8]) -> [UInt8]? {
        guard text.count % 4 == 0, !text.isEmpty else { return nil }
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        let isValid = text.withUnsafeBufferPointer { text in
            values.withUnsafeBufferPointer { values in
                for index in 0..<(text.count - padding) {
                    let value = values[Int(text[index])]
                    guard value < 64 else { return false }
                    group = group << 6 | UInt32(value)
                    if index % 4 == 3 {
                        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                        bytes.append(UInt8(truncatingIfNeeded: group))
                    }
                }
                return true
            }
        }
        guard isValid else { return nil }
        if padding == 1 {
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        } else if padding == 2 {
            bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        }
        return bytes
    }

    /// Base64url without padding (RFC 4648, 5).
    static func encodedURL(_ bytes: [UInt8]) -> String {
        let text = encoded(bytes).compactMap { character in
            switch character {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: character
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for anything but the alphabet of base64url, without padding.
    static func decodedURL(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard !text.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let standard = text.map { character in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: character
            }
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        return decoded(strictly: standard + padding)
    }

    static func decoded(_ text: String) -> [UInt8] {
        guard let bytes = decoded(strictly: text.utf8.filter { $0 > 0x20 }) else {
            preconditionFailure("A constant of the simulator is not base64.")
        }
        return bytes
    }
}
