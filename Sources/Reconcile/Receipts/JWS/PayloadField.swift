/// A member of a payload, to be shown. A member of a notification's object has the name
/// `data.bundleId`.
struct PayloadField: Equatable, Sendable {
    /// Raw values are values in JSON.
    enum Encoding: String, Sendable { case text, number, boolean, json, null }

    let name: String
    let encoding: Encoding
    /// Nil for a null. Numbers have the payload's digits; objects and lists are JSON.
    let value: String?

    /// In the order of the payload, whatever their names.
    static func all(of payload: SignedPayload) -> [PayloadField] {
        all(of: payload, prefix: "", opening: payload.kind == .notification)
    }

    private static func all(
        of payload: SignedPayload, prefix: String, opening: Bool
    ) -> [PayloadField] {
        payload.bytes.withUnsafeBufferPointer { bytes in
            payload.members.flatMap { member -> [PayloadField] in
                let name = prefix + member.name.string(in: bytes)
                if opening, member.value.kind == .container,
                    let inner = SignedPayload(Array(member.value.raw(in: bytes)))
                {
                    return all(of: inner, prefix: name + ".", opening: false)
                }
                return [PayloadField(name, member.value, in: bytes)]
            }
        }
    }

    private init(_ name: String, _ value: JSONValue, in bytes: UnsafeBufferPointer<UInt8>) {
        self.name = name
        switch value.kind {
        case .string, .escapedString:
            encoding = .text
            self.value = value.string(in: bytes)
        case .number:
            encoding = .number
            self.value = value.string(in: bytes)
        case .true, .false:
            encoding = .boolean
            self.value = value.kind == .true ? "true" : "false"
        case .container:
            encoding = .json
            self.value = value.string(in: bytes)
        case .null, .absent:
            encoding = .null
            self.value = nil
        }
    }

    /// Apple's dates are milliseconds, under names such as `purchaseDate`.
    var instant: Instant? {
        guard encoding == .number, name.hasSuffix("Date"), let value else { return nil }
        return AppleTimestamp.instant(milliseconds: value.utf8)
    }

    /// Whether it holds another JWS, by its name.
    var isSignedString: Bool {
        encoding == .text && name.split(separator: ".").last?.hasPrefix("signed") == true
    }
}
