internal import Synchronization

/// The tokens that requests to the App Store Server API carry: each app's serves until shortly
/// before its end. Source: "Generating JSON Web Tokens for API requests" in
/// <https://developer.apple.com/documentation/appstoreserverapi>.
final class APITokens: Sendable {
    private struct Token {
        let text: String
        /// In seconds since 1970, by this machine's clock, like the next.
        let madeAt: Int64
        let servesUntil: Int64
    }

    /// Seconds. A token that Apple's clock dates in the future is refused.
    private static let backdated: Int64 = 30
    private static let life: Int64 = 20 * 60
    /// Before its end: a request may wait for a connection.
    private static let reserve: Int64 = 5 * 60

    private let keys: APIKeys
    private let now: @Sendable () -> Instant
    private let tokens = Mutex<[BundleID: Token]>([:])

    /// - Parameter now: the wall clock.
    init(_ keys: APIKeys, now: @escaping @Sendable () -> Instant) {
        self.keys = keys
        self.now = now
    }

    /// The token of the app; nil for an app without a key.
    func token(for bundle: BundleID) -> String? {
        guard let key = keys.key(for: bundle) else { return nil }
        let now = now().milliseconds / 1_000
        return tokens.withLock { tokens in
            // A clock that was set back would date the old token in the future.
            if let known = tokens[bundle], (known.madeAt...known.servesUntil).contains(now) {
                return known.text
            }
            let issuedAt = now - Self.backdated
            let endsAt = issuedAt + Self.life
            let token = Token(
                text: key.token(for: bundle, from: issuedAt, to: endsAt), madeAt: now,
                servesUntil: endsAt - Self.reserve)
            tokens[bundle] = token
            return token.text
        }
    }
}

extension APIKey {
    /// A JSON Web Token (RFC 7519).
    fileprivate func token(for bundle: BundleID, from issuedAt: Int64, to endsAt: Int64) -> String {
        let header = #"{"alg":"ES256","kid":\#(id.jsonQuoted),"typ":"JWT"}"#
        let claims =
            #"{"iss":\#(issuer.jsonQuoted),"iat":\#(issuedAt),"exp":\#(endsAt),"#
            + #""aud":"appstoreconnect-v1","bid":\#(bundle.text.jsonQuoted)}"#
        let signed = [header, claims].map { Base64.encodeURL(Array($0.utf8)) }
            .joined(separator: ".")
        return signed + "." + Base64.encodeURL(key.signES256(Array(signed.utf8)))
    }
}
