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
        let segments = text.split(
            separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard segments.count == 3, let bytes = Base64.decodeURL(segments[1]),
            let payload = SignedPayload(bytes)
        else { return nil }
        self.text = text
        header = segments[0]
        self.payload = payload
        signature = Base64.decodeURL(segments[2])
        signed = text[segments[0].startIndex..<segments[1].endIndex]
    }
}
