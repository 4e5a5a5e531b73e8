/// The simulated Apple's verdict on the token of a request: a JSON Web Token of ES256. Source:
/// "Generating JSON Web Tokens for API requests" in Apple's documentation of the API.
enum PresentedToken: Equatable {
    /// Of the app with this bundle id.
    case genuine(bundle: String)
    case refused(Reason)

    /// All of them are a 401 without a body.
    enum Reason: Equatable {
        case missing, malformed, algorithm, type, keyID, signature
        case issuer, audience, notYetIssued, expired, tooLong, bundle
    }

    /// The longest life of a token, in seconds.
    private static let longestLife: Int64 = 3_600

    /// - Parameters:
    ///   - authorization: the value of that header.
    ///   - now: by the wall clock, in seconds since 1970.
    init(_ authorization: String?, at now: Int64, keys: [ThrowAwayAPIKey] = ThrowAwayAPIKey.all) {
        do throws(Refusal) {
            self = .genuine(bundle: try Self.bundle(authorization, now, keys))
        } catch {
            self = .refused(error.reason)
        }
    }

    private struct Refusal: Error { let reason: Reason }

    private static func bundle(
        _ authorization: String?, _ now: Int64, _ keys: [ThrowAwayAPIKey]
    ) throws(Refusal) -> String {
        guard let authorization, authorization.hasPrefix("Bearer ") else {
            throw Refusal(reason: .missing)
        }
        let parts = authorization.dropFirst(7).utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = object(parts[0]), let claims = object(parts[1]),
            let signature = Base64Text.decodedURL(parts[2])
        else { throw Refusal(reason: .malformed) }
        guard header.text("alg") == "ES256" else { throw Refusal(reason: .algorithm) }
        guard header.text("typ") == "JWT" else { throw Refusal(reason: .type) }
        guard let key = keys.first(where: { $0.id == header.text("kid") }) else {
            throw Refusal(reason: .keyID)
        }
        let signed = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
        guard key.key.hasSigned(signed, signature) else { throw Refusal(reason: .signature) }
        return try bundle(claims, of: key, now)
    }

    private static func bundle(
        _ claims: FlatJSON, of key: ThrowAwayAPIKey, _ now: Int64
    ) throws(Refusal) -> String {
        guard claims.text("iss") == key.issuer else { throw Refusal(reason: .issuer) }
        guard claims.text("aud") == "appstoreconnect-v1" else { throw Refusal(reason: .audience) }
        guard let issuedAt = claims.number("iat"), let endsAt = claims.number("exp") else {
            throw Refusal(reason: .malformed)
        }
        guard issuedAt <= now else { throw Refusal(reason: .notYetIssued) }
        guard endsAt > now else { throw Refusal(reason: .expired) }
        guard endsAt - issuedAt <= longestLife else { throw Refusal(reason: .tooLong) }
        guard let bundle = claims.text("bid"), key.bundles.contains(bundle) else {
            throw Refusal(reason: .bundle)
        }
        return bundle
    }

    private static func object(_ part: Substring.UTF8View) -> FlatJSON? {
        Base64Text.decodedURL(part).flatMap(FlatJSON.init)
    }
}
