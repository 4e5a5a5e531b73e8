import Testing

@testable import Reconcile
@testable import TestSupport

/// Damaged JWS: no parser may trap, and none verifies that was changed.
/// To add a case: a `FuzzPlan` with the inputs to damage, and the outcomes that must be frequent;
/// or a word.
@Suite("Random JWS")
struct JWSFuzzTests {
    private static let words: [[UInt8]] = [
        ".", "..", "e30", "eyJ", "=", "-", "_", "+", "\"", "{", "}", "[", "]", ",", "null", "\\",
        "\u{0}", " ", "\n", #""alg":"none","#, #""x5c":[],"#, #""jwk":{},"#, "1e999", "-0.5", "é",
    ].map { Array($0.utf8) }

    private enum Signature { case none, refused, genuine }
    private enum Content { case none, read }

    private let verifier = JWSVerifier(JWSAuthority.shared.roots)

    @Test("A JWS verifies only as it was signed")
    func texts() throws {
        let wholes = [
            JWSForge().text(), JWSForge().text(.renewal), JWSForge().text(.appTransaction),
            JWSForge().text(.notification(of: JWSForge().text())),
        ]
        let plan = FuzzPlan("jws", executions: 3_000)
        try plan.run(atLeast: 5, of: Signature.none, .refused, .genuine) { generator in
            let whole = generator.one(of: wholes)
            var text = whole
            text.mutate(generator.number(below: 3), with: Self.words, &generator)
            guard let jws = JWS(text) else { return .none }
            guard verifier.verification(of: jws, now: .asOf).isGenuine else { return .refused }
            #expect(wholes.contains { jws.text.elementsEqual($0) }, "\(text)")
            return .genuine
        }
    }

    @Test(
        "A header that was changed and signed again verifies only with ES256 and the certificates")
    func headers() throws {
        let whole = JWSForge().text()
        let segments = whole.split(separator: UInt8(ascii: "."))
        let header = try #require(Base64.decodeURL(segments[0]))
        let plan = FuzzPlan("jws-headers", executions: 2_000)
        try plan.run(atLeast: 3, of: Signature.refused, .genuine) { generator in
            var changed = header
            changed.mutate(generator.number(below: 3), with: Self.words, &generator)
            let signed =
                JWSForge.encoded(changed) + [UInt8(ascii: ".")]
                + JWSForge.encoded(Array(PayloadJSON.transaction.text.utf8))
            let text = JWSForge.signed(signed, by: JWSAuthority.shared.signer.key)
            guard let jws = JWS(text) else { return .none }
            guard verifier.verification(of: jws, now: .asOf).isGenuine else { return .refused }
            let parsed = JWSHeader(jws.header)
            #expect(parsed?.algorithm == "ES256", "\(changed)")
            #expect(parsed?.certificates?.count == 3, "\(changed)")
            #expect(parsed?.forbidden == nil, "\(changed)")
            return .genuine
        }
    }

    @Test("A payload with any content is read and shown, or is no JSON")
    func payloads() throws {
        let wholes = [
            PayloadJSON.transaction, .renewal, .appTransaction, .notification(of: []),
        ].map { Array($0.text.utf8) }
        let plan = FuzzPlan("jws-payloads", executions: 10_000)
        try plan.run(atLeast: 10, of: Content.none, .read) { generator in
            var bytes = generator.one(of: wholes)
            bytes.mutate(generator.number(below: 4), with: Self.words, &generator)
            guard let payload = SignedPayload(bytes) else { return .none }
            _ = (SignedTransaction(payload), SignedRenewal(payload), SignedAppTransaction(payload))
            _ = (SignedNotification(payload).contents, payload.signedAt, payload.isOfXcode)
            for field in PayloadField.all(of: payload) { _ = (field.instant, field.value?.count) }
            #expect(Differential.error(in: bytes) == nil, "\(bytes)")
            return .read
        }
    }
}
