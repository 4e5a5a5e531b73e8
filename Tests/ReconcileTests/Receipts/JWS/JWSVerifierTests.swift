import Testing

@testable import Reconcile
@testable import TestSupport

/// A JWS, and the checks that it fails. To add a case, copy one in the table: the label says what
/// is wrong, the forge makes it.
struct ForgedJWS: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: [UInt8]
    let failures: [JWSCheck]

    init(_ label: String, _ text: [UInt8], failing failures: JWSCheck...) {
        testDescription = label
        self.text = text
        self.failures = failures
    }
}

@Suite("The signature of a JWS")
struct JWSVerifierTests {
    private static let apple = JWSAuthority.shared
    private static let expired = JWSAuthority.signer(
        by: apple.intermediate, days: ("220101", "230101"))
    /// 1 June of 2021, before all signers, and of 2022.
    private static let of2021 = "1622505600000"
    private static let of2022 = "1654041600000"

    private static let escaped = JWSForge.x5c(apple.certificates.map(\.der))
        .replacing("/", with: "\\/")

    private static func verification(_ text: [UInt8], now: Instant = .asOf) throws
        -> JWSVerification
    {
        let jws = try #require(JWS(text))
        return JWSVerifier(apple.roots).verification(of: jws, now: now)
    }

    @Test(
        "A JWS under the roots is genuine, whatever its third certificate and its payload",
        arguments: [
            ForgedJWS("a transaction", JWSForge().text()),
            ForgedJWS("a renewal info", JWSForge().text(.renewal)),
            ForgedJWS("an app transaction", JWSForge().text(.appTransaction)),
            ForgedJWS(
                "another third certificate",
                JWSForge(certificates: [apple.signer, apple.intermediate, apple.intermediate])
                    .text()),
            ForgedJWS("slashes that are escaped", JWSForge(x5c: escaped).text()),
            ForgedJWS("a further member of the header", JWSForge(members: #""kid":"1""#).text()),
            ForgedJWS("white space around it", Array("\n ".utf8) + JWSForge().text() + [13, 10]),
            ForgedJWS(
                "fractions of milliseconds",
                JWSForge().text(.transaction.with("signedDate", "1790000000000.4851"))),
            ForgedJWS("no date", JWSForge().text(.transaction.without("signedDate"))),
            ForgedJWS("a date of null", JWSForge().text(.transaction.with("signedDate", "null"))),
            ForgedJWS(
                "certificates that have expired since",
                JWSForge(certificates: [expired, apple.intermediate, apple.root])
                    .text(.transaction.with("signedDate", of2022))),
        ])
    func genuine(jws: ForgedJWS) throws {
        let verification = try Self.verification(jws.text)
        #expect(verification.isGenuine)
        #expect(verification.failures == [])
        let names = ["CN=Test JWS Signing", "CN=Test JWS Intermediate", "CN=Test JWS Root"]
        #expect(verification.certificates == names)
    }

    @Test("A JWS with one thing wrong fails that check", arguments: headers + chains + bytes)
    func forged(jws: ForgedJWS) throws {
        let verification = try Self.verification(jws.text)
        #expect(!verification.isGenuine)
        #expect(verification.failures.map(\.check) == jws.failures)
        for failure in jws.failures { #expect(!verification.has(failure)) }
    }

    private static let headers = [
        ForgedJWS("no algorithm", JWSForge(algorithm: #""none""#).text(), failing: .algorithm),
        ForgedJWS("RS256", JWSForge(algorithm: #""RS256""#).text(), failing: .algorithm),
        ForgedJWS("ES384", JWSForge(algorithm: #""ES384""#).text(), failing: .algorithm),
        ForgedJWS("lower case", JWSForge(algorithm: #""es256""#).text(), failing: .algorithm),
        ForgedJWS("an algorithm of null", JWSForge(algorithm: "null").text(), failing: .algorithm),
        ForgedJWS(
            "a key in the header", JWSForge(members: #""jwk":{"kty":"EC"}"#).text(),
            failing: .algorithm),
        ForgedJWS(
            "a key at a URL", JWSForge(members: #""jku":"https://a.example""#).text(),
            failing: .algorithm),
        ForgedJWS(
            "certificates at a URL", JWSForge(members: #""x5u":"https://a.example""#).text(),
            failing: .algorithm),
        ForgedJWS(
            "a critical extension", JWSForge(members: #""crit":["b64"]"#).text(),
            failing: .algorithm),
        ForgedJWS("no certificates", JWSForge(x5c: "").text(), failing: .certificates),
        ForgedJWS("an empty list", JWSForge(x5c: "[]").text(), failing: .certificates),
        ForgedJWS("certificates as text", JWSForge(x5c: #""MII""#).text(), failing: .certificates),
        ForgedJWS("numbers", JWSForge(x5c: "[1,2,3]").text(), failing: .certificates),
        ForgedJWS(
            "other bytes than certificates", JWSForge(x5c: #"["AAAA","AAAA","AAAA"]"#).text(),
            failing: .certificates),
        ForgedJWS(
            "certificates in lines", JWSForge(x5c: escaped.replacing("MII", with: "MII\\n")).text(),
            failing: .certificates),
        ForgedJWS(
            "one certificate, as of Xcode", JWSForge(certificates: [apple.signer]).text(),
            failing: .certificates),
        ForgedJWS(
            "two certificates",
            JWSForge(certificates: [apple.signer, apple.intermediate]).text(),
            failing: .certificates),
        ForgedJWS(
            "four certificates", JWSForge(certificates: apple.certificates + [apple.root]).text(),
            failing: .certificates),
    ]

    private static func signed(
        by signer: TestCertificate, under intermediate: TestCertificate = apple.intermediate,
        _ payload: PayloadJSON = .transaction
    ) -> [UInt8] {
        JWSForge(certificates: [signer, intermediate, apple.root]).text(payload)
    }

    private static let chains: [ForgedJWS] = {
        let unmarked = JWSAuthority.intermediate(by: apple.root, isMarked: false)
        let powerless = JWSAuthority.intermediate(by: apple.intermediate, isAuthority: false)
        let third = JWSAuthority.intermediate(by: apple.intermediate)
        let twin = JWSAuthority.intermediate(
            "Test JWS Intermediate", key: apple.intermediate.key, by: JWSAuthority.other.root)
        return [
            ForgedJWS(
                "a leaf without marker",
                signed(by: JWSAuthority.signer(by: apple.intermediate, isMarked: false)),
                failing: .leafMarker),
            ForgedJWS(
                "an intermediate without marker",
                signed(by: JWSAuthority.signer(by: unmarked), under: unmarked),
                failing: .intermediateMarker),
            ForgedJWS(
                "leaf and intermediate swapped",
                signed(by: apple.intermediate, under: apple.signer),
                failing: .leafMarker, .chain, .intermediateMarker, .root),
            ForgedJWS(
                "a stranger's root of the same names",
                JWSForge(certificates: JWSAuthority.other.certificates).text(), failing: .root),
            ForgedJWS(
                "a stranger's leaf",
                signed(by: JWSAuthority.other.signer), failing: .chain, .root),
            ForgedJWS(
                "a leaf signed by a leaf",
                signed(by: JWSAuthority.signer(by: apple.signer), under: apple.signer),
                failing: .chain, .intermediateMarker, .root),
            ForgedJWS(
                "an intermediate that is no authority",
                signed(by: JWSAuthority.signer(by: powerless), under: powerless),
                failing: .chain, .root),
            ForgedJWS(
                "an intermediate that another one issued",
                signed(by: JWSAuthority.signer(by: third), under: third), failing: .root),
            ForgedJWS(
                "the intermediate's key under a stranger's root",
                signed(by: apple.signer, under: twin), failing: .root),
            ForgedJWS(
                "a leaf that the root issued",
                signed(by: JWSAuthority.signer(by: apple.root), under: apple.root),
                failing: .intermediateMarker, .root),
            ForgedJWS(
                "a leaf signed with SHA-1",
                signed(by: JWSAuthority.signer(by: apple.intermediate, digest: .sha1)),
                failing: .root),
        ]
    }()

    private static let bytes: [ForgedJWS] = {
        let whole = JWSForge().text()
        let start = (whole.lastIndex(of: UInt8(ascii: ".")) ?? 0) + 1
        let other = Array(PayloadJSON.transaction.with("quantity", "7").text.utf8)
        let segments = whole.split(separator: UInt8(ascii: "."))
        let altered = [Array(segments[0]), JWSForge.encoded(other), Array(segments[2])]
        let zeros = JWSForge.encoded([UInt8](repeating: 0, count: 64))
        return [
            ForgedJWS(
                "expired", signed(by: expired), failing: .time),
            ForgedJWS(
                "signed before the leaf",
                JWSForge().text(.transaction.with("signedDate", of2021)), failing: .time),
            ForgedJWS(
                "an app transaction of before the leaf",
                JWSForge().text(.appTransaction.with("receiptCreationDate", of2021)),
                failing: .time),
            ForgedJWS(
                "a date in words",
                JWSForge().text(.transaction.with("signedDate", #""today""#)), failing: .time),
            ForgedJWS(
                "another payload", Array(altered.joined(separator: ".".utf8)), failing: .signature),
            ForgedJWS(
                "a signature of 63 bytes",
                whole[..<start] + JWSForge.encoded([UInt8](repeating: 1, count: 63)),
                failing: .signature),
            ForgedJWS("a signature of zeros", whole[..<start] + zeros, failing: .signature),
            ForgedJWS("an empty signature", Array(whole[..<start]), failing: .signature),
            ForgedJWS("a padded signature", whole + Array("==".utf8), failing: .signature),
            ForgedJWS("a signature in DER", JWSForge(form: .der).text(), failing: .signature),
            ForgedJWS(
                "another key", JWSForge(key: JWSAuthority.other.signer.key).text(),
                failing: .signature),
            ForgedJWS(
                "a signer of P-384",
                signed(
                    by: JWSAuthority.signer(key: SigningKey(on: .p384), by: apple.intermediate)),
                failing: .signature),
            ForgedJWS(
                "a signer of another curve, whose signatures have 64 bytes, too",
                signed(
                    by: JWSAuthority.signer(
                        key: SigningKey(on: .secp256k1), by: apple.intermediate)),
                failing: .signature),
            ForgedJWS(
                "an RSA signer",
                signed(by: JWSAuthority.signer(key: SigningKey(), by: apple.intermediate)),
                failing: .root),
        ]
    }()

    @Test("The intermediate must be the one on the path, not another of its name and key")
    func twin() throws {
        let twin = JWSAuthority.intermediate(
            "Test JWS Intermediate", key: Self.apple.intermediate.key,
            by: JWSAuthority.other.root)
        let jws = try #require(JWS(Self.signed(by: Self.apple.signer, under: twin)))
        // An intermediate that is known by itself completes the path, as for receipts of iOS 6.
        let roots = TrustedRoots([Self.apple.root.der, Self.apple.intermediate.der])
        let failures = JWSVerifier(roots).verification(of: jws, now: .asOf).failures
        #expect(failures.map(\.check) == [.root])
    }

    @Test("Without a date, the certificates must be valid now")
    func undated() throws {
        let text = JWSForge().text(.transaction.without("signedDate"))
        let later = try #require(Instant(rfc3339: "2031-01-01T00:00:00Z"))
        #expect(try Self.verification(text).instant == .asOf)
        #expect(try Self.verification(text, now: later).failures.map(\.check) == [.time])
    }
}
