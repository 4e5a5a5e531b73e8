@testable import AppStoreSimulator

/// A token for the simulated App Store Server API, by default one that is accepted at `now`.
/// Members of value nil are left out.
struct TokenForge: Sendable {
    /// Seconds since 1970: 21 September 2026.
    static let now: Int64 = 1_790_000_000

    var algorithm: String? = "ES256"
    var type: String? = "JWT"
    var keyID: String?
    var issuer: String?
    var audience: String? = "appstoreconnect-v1"
    var issuedAt: JSON? = .number(now - 30)
    var endsAt: JSON? = .number(now + 1_200)
    var bundle: String?
    var key: P256Key
    /// Before the token.
    var scheme = "Bearer "
    /// After the signature was made.
    var alter: @Sendable (String) -> String = { $0 }

    init(_ app: SimulatedApp = .atlas) {
        let key = ThrowAwayAPIKey.all.first { $0.bundles.contains(app.bundle) }
        keyID = key?.id
        issuer = key?.issuer
        bundle = app.bundle
        self.key = key?.key ?? P256Key(derivedFrom: "none")
    }

    /// The header's value.
    var text: String {
        let header = Self.part([
            ("alg", algorithm.map(JSON.text)), ("kid", keyID.map(JSON.text)),
            ("typ", type.map(JSON.text)),
        ])
        let claims = Self.part([
            ("iss", issuer.map(JSON.text)), ("iat", issuedAt), ("exp", endsAt),
            ("aud", audience.map(JSON.text)), ("bid", bundle.map(JSON.text)),
        ])
        let signed = header + "." + claims
        let signature = key.signature(of: Array(signed.utf8))
        return scheme + alter(signed + "." + Base64Text.encodedURL(signature))
    }

    private static func part(_ members: [(String, JSON?)]) -> String {
        let present = members.compactMap { name, value in value.map { (name, $0) } }
        return Base64Text.encodedURL(JSONWriter.bytes(of: .object(present)))
    }
}
