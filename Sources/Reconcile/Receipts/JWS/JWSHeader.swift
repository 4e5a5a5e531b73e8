/// The header of a JWS (RFC 7515, 4.1), as far as it is needed.
struct JWSHeader: Equatable, Sendable {
    /// `alg`; nil unless it is a string.
    private(set) var algorithm: String?
    /// `x5c`, in base64; nil unless it is a list of strings.
    private(set) var certificates: [[UInt8]]?
    /// A member that says to verify in another way: with a key from the header or from a URL, or by
    /// an extension of the standard. Apple writes none.
    private(set) var forbidden: String?

    /// - Parameter segment: in base64url. Nil when it is not a JSON object.
    init?(_ segment: ArraySlice<UInt8>) {
        guard let bytes = Base64.decodeURL(segment), bytes.first == UInt8(ascii: "{") else {
            return nil
        }
        do {
            try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
                var scanner = try JSONScanner(bytes, naming: Member.code)
                var members = try scanner.enterObject(since: 0)
                while let code = try scanner.nextMember(of: &members) {
                    try read(Member(rawValue: code) ?? .other, &scanner, in: bytes)
                }
                try scanner.finish()
            }
        } catch { return nil }
    }

    private enum Member: UInt8, CaseIterable {
        case other, alg, x5c, jwk, jku, x5u, crit

        static func code(of name: JSONValue, in bytes: UnsafeBufferPointer<UInt8>) -> UInt8 {
            let name = name.string(in: bytes)
            return allCases.dropFirst().first { "\($0)" == name }?.rawValue ?? other.rawValue
        }
    }

    private mutating func read(
        _ member: Member, _ scanner: inout JSONScanner, in bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONError) {
        if member == .x5c, try scanner.peek() == UInt8(ascii: "[") {
            certificates = try Self.strings(&scanner, in: bytes)
            return
        }
        let value = try scanner.value()
        switch member {
        case .alg: algorithm = value.isString ? value.string(in: bytes) : nil
        case .jwk, .jku, .x5u, .crit: forbidden = "\(member)"
        case .other, .x5c: break
        }
    }

    /// Nil when an element is not a string.
    private static func strings(
        _ scanner: inout JSONScanner, in bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONError) -> [[UInt8]]? {
        var strings: [[UInt8]] = []
        var areStrings = true
        try scanner.enterArray()
        while try scanner.nextElement(isFirst: strings.isEmpty) {
            let value = try scanner.value()
            areStrings = areStrings && value.isString
            strings.append(value.resolved(in: bytes))
        }
        return areStrings ? strings : nil
    }
}
