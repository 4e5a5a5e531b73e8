/// The text form of keys and certificates (RFC 7468).
enum PEM {
    static func text(_ label: String, _ der: [UInt8]) -> String {
        var lines: [String] = []
        var rest = Base64Text.encoded(der)[...]
        while !rest.isEmpty {
            lines.append(String(decoding: rest.prefix(64), as: UTF8.self) + "\n")
            rest = rest.dropFirst(64)
        }
        return "-----BEGIN \(label)-----\n\(lines.joined())-----END \(label)-----\n"
    }
}
