import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// A token, read as Apple reads it.
struct ReadToken {
    let header: [String: Any]
    let claims: [String: Any]
    /// Whether the key of the tests signed it.
    let isSigned: Bool

    init(_ text: String) throws {
        let segments = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(segments.count == 3)
        header = try Self.object(segments[0])
        claims = try Self.object(segments[1])
        let signature = try #require(Base64.decodeURL(Array(segments[2].utf8)[...]))
        let authority = JWSAuthority.shared
        let certificate = JWSAuthority.signer(
            key: PrivateKey.signing, by: authority.intermediate)
        let key = try PublicKey(ofCertificate: certificate.der[...])
        let signed = Array((segments[0] + "." + segments[1]).utf8)
        do throws(SignatureError) {
            try key.verifyES256(signature[...], of: signed[...])
            isSigned = true
        } catch {
            isSigned = false
        }
    }

    private static func object(_ segment: String) throws -> [String: Any] {
        let bytes = try #require(Base64.decodeURL(Array(segment.utf8)[...]))
        let json = try JSONSerialization.jsonObject(with: Data(bytes))
        return try #require(json as? [String: Any])
    }
}

/// To add a case: a row with the seconds since the first token, and whether another one is made.
@Suite("The tokens of requests to the App Store Server API")
struct APITokensTests {
    /// A wall clock that a test sets.
    private let seconds = Shared<Int64>(Instant.asOf.milliseconds / 1_000)

    private func tokens(_ lines: String = "* = issuer-1 KEY1 key.p8") throws -> APITokens {
        APITokens(try .testing(lines)) { [seconds] in
            Instant(milliseconds: seconds.current * 1_000 + 999)
        }
    }

    @Test("A token names the key, the team, the app and Apple, and serves for 20 minutes")
    func claims() throws {
        let token = try ReadToken(try #require(try tokens().token(for: "acme")))
        #expect(token.header as? [String: String] == ["alg": "ES256", "kid": "KEY1", "typ": "JWT"])
        #expect(token.claims["iss"] as? String == "issuer-1")
        #expect(token.claims["aud"] as? String == "appstoreconnect-v1")
        #expect(token.claims["bid"] as? String == "acme")
        let now = seconds.current
        #expect(token.claims["iat"] as? Int64 == now - 30)
        #expect(token.claims["exp"] as? Int64 == now - 30 + 1_200)
        #expect(token.claims.count == 5)
        #expect(token.isSigned)
    }

    @Test("A name with a quote or a backslash stays one")
    func quoted() throws {
        let tokens = try tokens(#"* = i"s\s k"1 key.p8"#)
        let token = try ReadToken(try #require(tokens.token(for: #"a"c\me"#)))
        #expect(token.claims["iss"] as? String == #"i"s\s"#)
        #expect(token.header["kid"] as? String == #"k"1"#)
        #expect(token.claims["bid"] as? String == #"a"c\me"#)
    }

    @Test("Each app has a token of its own, and one without a key has none")
    func perApp() throws {
        let tokens = try tokens("acme = i KEY1 f\nother = i KEY2 f")
        let acme = try ReadToken(try #require(tokens.token(for: "acme")))
        let other = try ReadToken(try #require(tokens.token(for: "other")))
        #expect(acme.claims["bid"] as? String == "acme")
        #expect(other.claims["bid"] as? String == "other")
        #expect(other.header["kid"] as? String == "KEY2")
        #expect(tokens.token(for: "third") == nil)
    }

    @Test(
        "It is renewed 5 minutes before its end, and when the clock was set back",
        arguments: [
            (label: "at once", later: 0, isRenewed: false), ("after a minute", 60, false),
            ("5 minutes before its end", 870, false),
            ("a second later", 871, true), ("at its end", 1_170, true),
            ("a day later", 86_400, true), ("a second earlier", -1, true),
            ("a day earlier", -86_400, true),
        ] as [(label: String, later: Int64, isRenewed: Bool)])
    func renewed(label: String, later: Int64, isRenewed: Bool) throws {
        let tokens = try tokens()
        let first = try #require(tokens.token(for: "acme"))
        let now = seconds.update { $0 += later }
        let second = try #require(tokens.token(for: "acme"))
        #expect((first != second) == isRenewed)
        let end = try #require(try ReadToken(second).claims["exp"] as? Int64)
        #expect(end - now >= 300)
        #expect(end - now <= 1_200)
    }

    @Test("Many tasks at once use one token")
    func concurrent() async throws {
        let tokens = try tokens()
        let all = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<200 { group.addTask { tokens.token(for: "acme") } }
            var all: Set<String?> = []
            for await token in group { all.insert(token) }
            return all
        }
        #expect(all.count == 1)
    }
}
