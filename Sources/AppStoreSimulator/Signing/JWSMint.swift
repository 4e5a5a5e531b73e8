/// Creates signed strings like Apple's: JWS in the compact form (RFC 7515, 7.1) by the throw-away
/// chain.
enum JWSMint {
    /// - Parameter payload: a JSON object.
    static func text(_ payload: JSON) -> String {
        text(JSONWriter.bytes(of: payload), header: header)
    }

    /// A JWS whose payload was changed after signing.
    static func forgery(_ payload: JSONFields) -> String {
        let parts = text(.object(payload)).split(separator: ".")
        var changed = payload
        changed.add("altered", .bool(true))
        let other = Base64Text.encodedURL(JSONWriter.bytes(of: .object(changed)))
        return "\(parts[0]).\(other).\(parts[2])"
    }

    /// As Xcode signs in its own test environment: with one certificate, and a key id.
    static func ofXcode(_ payload: JSON) -> String {
        text(JSONWriter.bytes(of: payload), header: xcodeHeader)
    }

    private static func text(_ payload: [UInt8], header: String) -> String {
        let signed = header + "." + Base64Text.encodedURL(payload)
        let signature = ThrowAwayChain.signerKey.signature(of: Array(signed.utf8))
        return signed + "." + Base64Text.encodedURL(signature)
    }

    private static let header = header([], ThrowAwayChain.certificates)
    private static let xcodeHeader = header(
        [("kid", .text("Apple_Xcode_Key")), ("typ", .text("JWT"))], [ThrowAwayChain.signer])

    private static func header(
        _ members: [(String, JSON)], _ certificates: [[UInt8]]
    ) -> String {
        let x5c = certificates.map { certificate in
            JSON.text(String(decoding: Base64Text.encoded(certificate), as: UTF8.self))
        }
        let all = [("alg", JSON.text("ES256"))] + members + [("x5c", JSON.list(x5c))]
        return Base64Text.encodedURL(JSONWriter.bytes(of: .object(all)))
    }
}
