/// A JSON Web Signature in its compact form (RFC 7515, 7.1), parsed. `JWSVerifier` says who signed
/// it; until then its payload says nothing.
struct JWS: Sendable {
    /// All of it, without white space around it.
    let text: ArraySlice<UInt8>
    /// The first segment, in base64url.
    let header: ArraySlice<UInt8>
    let payload: SignedPayload
    /// Nil when the third segment is not base64url.
    let signature: [UInt8]?
    /// What the signature covers: the first two segments and the dot between them.
    let signed: ArraySlice<UInt8>

    /// Nil unless `text` has three segments, of which the first two are JSON objects in base64url
    /// without padding. White space around it does not count.
    init?(_ text: [UInt8]) { self.init(text[...]) }

    init?(_ text: ArraySlice<UInt8>) {
        let text = text.trimmed { $0 <= 0x20 }
        guard let first = text.firstPosition(of: Self.dot),
            let second = text[(first + 1)...].firstPosition(of: Self.dot)
        else { return nil }
        let last = text[(second + 1)...]
        guard last.firstPosition(of: Self.dot) == nil,
            let bytes = Base64.decodeURL(text[(first + 1)..<second]),
            let payload = SignedPayload(bytes)
        else { return nil }
        self.text = text
        header = text[..<first]
        self.payload = payload
        signature = Base64.decodeURL(last)
        signed = text[..<second]
    }

    private static let dot = UInt8(ascii: ".")
}
