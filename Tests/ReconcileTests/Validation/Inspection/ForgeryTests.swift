import Testing

@testable import Reconcile
@testable import TestSupport

/// Receipts that Apple would not have signed, and the reasons for which they are refused.
private enum Forgery {
    private static let apple = ReceiptAuthority.shared
    private static let payload = PayloadForge(purchases: [PayloadForge.purchase()]).encoded
    private static let stray = ReceiptAuthority(name: "Another").root
    private static let ended = SignatureError.Reason.notValidThen("certificate has expired")

    static let all: [(SignatureError.Reason, [UInt8])] =
        [
            (.wrongPurpose, signed(by: certificate(isMarked: false))),
            // The receipt was made on 6 May 2024.
            (ended, signed(by: certificate(days: ("200101", "240505")))),
            (
                .notValidThen("certificate is not yet valid"),
                signed(by: certificate(days: ("240507", "491231")))
            ),
            (ended, signed(under: middle(days: ("200101", "240505")))),
            // Another root of the same name, and one of another name.
            (
                .untrusted("certificate signature failure"),
                ReceiptAuthority.other.receipt(payload)
            ),
            (
                .untrusted("self-signed certificate in certificate chain"),
                ReceiptAuthority(name: "Another").receipt(payload)
            ),
            (.issuerMissing, container([apple.signer], [apple.signer])),
            (
                .untrusted("self-signed certificate"),
                signed(by: TestCertificate("Apple", serial: 8, key: SigningKey(), isMarked: true))
            ),
            (.untrusted("invalid CA certificate"), signed(under: middle(isAuthority: false))),
            (.severalSigners(2), container([apple.signer, apple.signer], apple.certificates)),
            (.unsigned, ReceiptForge.receipt(payload)),
            (.undated, apple.receipt(PayloadForge(createdAt: "").encoded)),
            // Both signers have one name and one serial number, so that the key decides.
            (.doesNotFit, container([ReceiptAuthority.other.signer], apple.certificates)),
        ]
        + (0...3).map { place in
            var certificates = apple.certificates
            certificates.insert(stray, at: place)
            return (.strayCertificate, container([apple.signer], certificates))
        }

    private static func certificate(
        _ name: String = "Signer", by issuer: TestCertificate = apple.middle,
        days: (String, String) = ("080101", "491231"), isAuthority: Bool = false,
        isMarked: Bool = true
    ) -> TestCertificate {
        TestCertificate(
            name, serial: 7, key: SigningKey(), by: issuer, days: days, isAuthority: isAuthority,
            isMarked: isMarked)
    }

    private static func middle(
        isAuthority: Bool = true, days: (String, String) = ("080101", "491231")
    ) -> TestCertificate {
        certificate(
            "Middle", by: apple.root, days: days, isAuthority: isAuthority, isMarked: false)
    }

    private static func container(
        _ signers: [TestCertificate], _ certificates: [TestCertificate]
    ) -> [UInt8] { SignedForm().container(of: payload, signedBy: signers, certificates) }

    private static func signed(by signer: TestCertificate) -> [UInt8] {
        container([signer], [signer, apple.middle, apple.root])
    }

    private static func signed(under middle: TestCertificate) -> [UInt8] {
        let signer = certificate(by: middle)
        return container([signer], [signer, middle, apple.root])
    }
}

@Suite("A forged receipt", .timeLimit(.minutes(10)))
struct ForgeryTests {
    private static let apple = ReceiptAuthority.shared
    private static let whole = apple.receipt(
        PayloadForge(purchases: [PayloadForge.purchase()]).encoded)

    @Test(
        "A receipt that Apple would not have signed is refused with the reason, also offline",
        arguments: Forgery.all)
    func refused(reason: SignatureError.Reason, bytes: [UInt8]) throws {
        let inspection = try Inspection(bytes, .testing)
        #expect(inspection.failedStep?.name == .signature)
        #expect(inspection.failedStep?.detail == reason.inWords)
        #expect(!inspection.isGenuine)
        #expect(inspection.certificates.isEmpty)
        #expect(try !contradictsRefusal(bytes))
        // Only a signature that does not fit rejects the receipt without Apple.
        let isRejected = reason == .doesNotFit
        let offline = try OfflineReadingTests.report(bytes)
        #expect(offline.validation == (isRejected ? .rejected(.signature) : .unverified(.offline)))
        if !isRejected, reason != .undated {
            #expect(offline.attempts.detail == "judged offline: " + reason.inWords)
        }
        #expect(Self.isRejectedAsMalformed(bytes) == isRejected)
    }

    /// Whether Apple's 21002 ("malformed") about the receipt becomes a rejection.
    private static func isRejectedAsMalformed(_ bytes: [UInt8]) -> Bool {
        let outcome = Validation.unverified(.malformedAccordingToApple)
        return outcome.afterTieBreak(on: SendableReceipt(encoding: bytes)) != outcome
    }

    /// A byte of the first `part` in a receipt, changed.
    private static func altered(
        _ part: [UInt8], at place: Int, by change: UInt8, in receipt: [UInt8] = whole
    ) throws -> [UInt8] {
        var bytes = receipt
        bytes[try #require(bytes.firstRange(of: part)).lowerBound + place] ^= change
        return bytes
    }

    @Test("A receipt that Apple calls malformed is not rejected if its signature cannot be checked")
    func undecided() throws {
        let payload = PayloadForge().encoded
        let signed = Self.apple.receipt(payload, SignedForm(hasAttributes: true))
        for receipt in [
            Self.whole,
            SignedForm().container(
                of: payload, signedBy: [Self.apple.signer],
                Self.apple.certificates + Array(repeating: Self.apple.middle, count: 16)),
            SignedForm().container(
                of: payload, signedBy: Array(repeating: Self.apple.signer, count: 17),
                Self.apple.certificates),
            // The algorithm of the signer's key becomes an unknown one: 1.2.840.113549.1.1.99.
            try Self.altered(
                [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 5, 0, 3], at: 8,
                by: 1 ^ 99),
            // The attribute with the content type becomes another attribute.
            try Self.altered(
                [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x03], at: 8, by: 3 ^ 99,
                in: signed),
            Array(#"{ "signature" = "QUJD"; "purchase-info" = "e30="; }"#.utf8),
        ] { #expect(!Self.isRejectedAsMalformed(receipt)) }
        // The length within the signer's key.
        let damagedKey = try Self.altered([0x01, 0x01, 0x01, 5, 0, 3], at: 10, by: 0xFF)
        #expect(Self.isRejectedAsMalformed(damagedKey))
    }

    @Test("A receipt is rejected for its signature only if 21002 was Apple's last answer")
    func malformed() async throws {
        let altered = try Self.altered(Array("acme".utf8), at: 0, by: 1)
        let text = String(decoding: Base64.encode(altered), as: UTF8.self)
        for (last, outcome) in [
            (21002, "rejected signature"), (21009, "unverified apple_unavailable"),
        ] {
            let apple = try ScriptedApple { ask in
                [.reply(AppleAnswer.status(ask.attempt == 1 ? 21002 : last))]
            }
            let look = try await AppStoreValidator.asking(apple).look(at: text)
            #expect(look.words == outcome)
        }
    }

    @Test("Apple's refusal of a receipt is contradicted by its signature alone, whatever its app")
    func contradicts() throws {
        let other = Self.apple.receipt(PayloadForge(bundle: "acme.other").encoded)
        #expect(try contradictsRefusal(other))
        #expect(try !contradictsRefusal(other, trusting: .apple))
        let list = Array(#"{ "signature" = "QUJD"; "purchase-info" = "e30="; }"#.utf8)
        #expect(try !contradictsRefusal(list))
    }

    /// Whether `bytes`, one of which was changed, is still a genuine receipt.
    private func isGenuine(_ bytes: [UInt8]) -> Bool {
        (try? Inspection(bytes, .testing))?.isGenuine == true
    }

    @Test("A change in any byte of payload, signature or certificates, the root's too, is refused")
    func everyByte() throws {
        #expect(isGenuine(Self.whole))
        let signed = try SignedData(Self.whole)
        let signature = try #require(try signed.signers().first).signature
        let certificates = Set(try signed.certificates().flatMap(\.indices))
        let places = Array(signed.content.indices) + signature.indices + certificates
        #expect(places.count > 1_000)
        for place in places {
            for bit in Set<UInt8>([1, 1 << UInt8(place % 8)]) {
                var bytes = Self.whole
                bytes[place] ^= bit
                #expect(!isGenuine(bytes), "byte \(place)")
                if place % 50 == 0, !certificates.contains(place) {
                    let offline = try OfflineReadingTests.report(bytes)
                    #expect(offline.validation == .rejected(.signature))
                    #expect(try !contradictsRefusal(bytes))
                }
                // A change of the payload alone is found by the signature.
                guard signed.content.indices.contains(place) else { continue }
                let steps = try Inspection(bytes, .testing).steps
                let step = try #require(steps.first { $0.name == .signature })
                #expect(step.detail == SignatureError.Reason.doesNotFit.inWords)
            }
        }
    }

    @Test("A receipt that was cut at any length, or has no signed content, is no receipt")
    func truncated() throws {
        for count in 0..<Self.whole.count {
            #expect(throws: NotAReceipt.self, "\(count) bytes") {
                try Inspection(Array(Self.whole[..<count]), .testing)
            }
        }
        let bytes = SignedForm().container(of: [], signedBy: [], Self.apple.certificates)
        #expect(throws: NotAReceipt.self) { try Inspection(bytes, .testing) }
    }

    @Test("A further certificate of the same authority, or a repeated one, does no harm")
    func knownCertificateBeside() {
        let ended = TestCertificate(
            "Ended", serial: 9, key: SigningKey(), by: Self.apple.root, days: ("080101", "100101"))
        for beside in [ended, Self.apple.middle, Self.apple.root] {
            let bytes = SignedForm().container(
                of: PayloadForge().encoded, signedBy: [Self.apple.signer],
                Self.apple.certificates + [beside])
            #expect(isGenuine(bytes))
        }
    }
}

/// Whether the receipt itself proves that Apple signed it, which a refusal (21003) contradicts.
func contradictsRefusal(
    _ bytes: [UInt8], trusting roots: TrustedRoots = InspectionQuestion.testing.roots
) throws -> Bool {
    let validator = try AppStoreValidator.quick(production: "", sandbox: "", roots: roots)
    let text = String(decoding: Base64.encode(bytes), as: UTF8.self)
    return validator.isGenuine(try validator.question(text))
}

extension InspectionQuestion {
    static var testing: InspectionQuestion {
        var question = InspectionQuestion()
        question.roots = TrustedRoots([ReceiptAuthority.shared.root.der])
        return question
    }
}
