import Testing

@testable import Reconcile
@testable import TestSupport

/// A receipt that Apple would not have signed, and the step that must fail.
struct Forgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let reason: SignatureError.Reason

    private static let apple = ReceiptAuthority.shared
    private static let payload = PayloadForge(purchases: [PayloadForge.purchase()]).encoded

    static let all: [Forgery] = [
        Forgery("the wrong purpose", signedBy: signer(isMarked: false), .wrongPurpose),
        Forgery(
            "a certificate that ended before the signing",
            signedBy: signer(days: ("200101", "240505")),
            .notValidThen("certificate has expired")),
        Forgery(
            "a certificate that began after the signing",
            signedBy: signer(days: ("240507", "491231")),
            .notValidThen("certificate is not yet valid")),
        Forgery(
            "an authority that ended before the signing", below: middle(days: ("200101", "240505")),
            .notValidThen("certificate has expired")),
        Forgery(
            "another root of the same name", bytes: ReceiptAuthority.other.receipt(payload),
            .untrusted("certificate signature failure")),
        Forgery(
            "another root", bytes: ReceiptAuthority(name: "Another").receipt(payload),
            .untrusted("self-signed certificate in certificate chain")),
        Forgery(
            "no root, and no way to one",
            bytes: SignedForm().container(
                of: payload, signedBy: [apple.signer], [apple.signer]),
            .issuerMissing),
        Forgery(
            "a signer that signed its own certificate",
            signedBy: TestCertificate("Apple", serial: 8, key: SigningKey(), isMarked: true),
            .untrusted("self-signed certificate")),
        Forgery(
            "an authority that is none", below: middle(isAuthority: false),
            .untrusted("invalid CA certificate")),
        Forgery(
            "two signers",
            bytes: SignedForm().container(
                of: payload, signedBy: [apple.signer, apple.signer], apple.certificates),
            .severalSigners(2)),
        Forgery(
            "no signer", bytes: ReceiptForge.receipt(payload), .unsigned),
        Forgery(
            "no date of its making",
            bytes: apple.receipt(PayloadForge(createdAt: "").encoded),
            .undated),
    ]

    private static func signer(
        isMarked: Bool = true, days: (String, String) = ("080101", "491231")
    ) -> TestCertificate {
        TestCertificate(
            "Signer", serial: 7, key: SigningKey(), by: apple.middle, days: days,
            isMarked: isMarked)
    }

    private static func middle(
        isAuthority: Bool = true, days: (String, String) = ("080101", "491231")
    ) -> TestCertificate {
        TestCertificate(
            "Middle", serial: 6, key: SigningKey(), by: apple.root, days: days,
            isAuthority: isAuthority)
    }

    private init(_ name: String, bytes: [UInt8], _ reason: SignatureError.Reason) {
        testDescription = name
        self.bytes = bytes
        self.reason = reason
    }

    private init(
        _ name: String, signedBy signer: TestCertificate, _ reason: SignatureError.Reason
    ) {
        let bytes = SignedForm().container(
            of: Self.payload, signedBy: [signer], [signer] + Self.apple.certificates.dropFirst())
        self.init(name, bytes: bytes, reason)
    }

    private init(
        _ name: String, below middle: TestCertificate, _ reason: SignatureError.Reason
    ) {
        let signer = TestCertificate(
            "Signer", serial: 7, key: SigningKey(), by: middle, isMarked: true)
        let bytes = SignedForm().container(
            of: Self.payload, signedBy: [signer], [signer, middle, Self.apple.root])
        self.init(name, bytes: bytes, reason)
    }
}

@Suite("A forged receipt")
struct ForgeryTests {
    private static let apple = ReceiptAuthority.shared
    private static let whole = apple.receipt(
        PayloadForge(purchases: [PayloadForge.purchase()]).encoded)

    @Test("A forgery is refused by its signature, with the reason", arguments: Forgery.all)
    func refused(forgery: Forgery) throws {
        let inspection = try Inspection(forgery.bytes, .testing)
        #expect(inspection.failedStep?.name == .signature)
        #expect(inspection.failedStep?.detail == forgery.reason.inWords)
        #expect(!inspection.isGenuine)
        #expect(inspection.certificates.isEmpty)
    }

    /// The effect of a changed byte: none (no signature covers it), or a failed step.
    private enum Fate: Equatable { case genuine, refused, noReceipt }

    private func fate(of bytes: [UInt8]) -> Fate {
        guard let inspection = try? Inspection(bytes, .testing) else { return .noReceipt }
        return inspection.isGenuine ? .genuine : .refused
    }

    @Test("A change in any byte of payload, signature or certificates is refused")
    func everyByte() throws {
        let whole = Self.whole
        let signed = try SignedData(whole)
        let signature = try #require(try signed.signers().first).signature
        var places = Array(signed.content.indices) + Array(signature.indices)
        for certificate in try signed.certificates() { places += certificate.indices }
        #expect(places.count > 1_000)
        for place in places {
            var bytes = whole
            bytes[place] ^= 1 << UInt8(place % 8)
            #expect(fate(of: bytes) != .genuine, "byte \(place)")
        }
    }

    @Test("A change of the payload alone is refused by the signature, at every byte")
    func everyByteOfThePayload() throws {
        for place in try SignedData(Self.whole).content.indices {
            var bytes = Self.whole
            bytes[place] ^= 1
            let steps = try Inspection(bytes, .testing).steps
            let signature = try #require(steps.first { $0.name == .signature })
            #expect(signature.detail == SignatureError.Reason.doesNotFit.inWords)
        }
    }

    @Test("A receipt that was cut at any length is no receipt")
    func truncated() {
        for count in 0..<Self.whole.count {
            #expect(fate(of: Array(Self.whole[..<count])) == .noReceipt, "\(count) bytes")
        }
    }

    @Test("A container with certificates and no signed content is no receipt")
    func certificatesAlone() throws {
        let bytes = SignedForm().container(of: [], signedBy: [], Self.apple.certificates)
        #expect(fate(of: bytes) == .noReceipt)
    }

    @Test("A root that differs in any byte is refused, whatever else is trusted")
    func everyByteOfTheRoot() throws {
        let root = try #require(try SignedData(Self.whole).certificates().last)
        for place in root.indices {
            var bytes = Self.whole
            bytes[place] ^= 1
            #expect(fate(of: bytes) != .genuine, "byte \(place - root.startIndex)")
        }
    }

    @Test("A certificate that belongs to no chain is refused, wherever it is")
    func strayCertificate() throws {
        let stray = ReceiptAuthority(name: "Another").root
        let apple = Self.apple.certificates
        for place in 0...apple.count {
            var certificates = apple
            certificates.insert(stray, at: place)
            let bytes = SignedForm().container(
                of: PayloadForge().encoded, signedBy: [Self.apple.signer], certificates)
            let step = try #require(try Inspection(bytes, .testing).failedStep)
            #expect(step.detail == SignatureError.Reason.strayCertificate.inWords)
        }
    }

    @Test("A further certificate of the same authority, or a repeated one, does no harm")
    func knownCertificateBeside() throws {
        let ended = TestCertificate(
            "Ended", serial: 9, key: SigningKey(), by: Self.apple.root,
            days: ("080101", "100101"))
        for beside in [ended, Self.apple.middle, Self.apple.root] {
            let bytes = SignedForm().container(
                of: PayloadForge().encoded, signedBy: [Self.apple.signer],
                Self.apple.certificates + [beside])
            #expect(try Inspection(bytes, .testing).isGenuine)
        }
    }

    @Test("A forged signer is refused although a genuine certificate is included")
    func certificateBeside() throws {
        // A marked certificate under the right root that is not the signer's.
        let bytes = SignedForm().container(
            of: PayloadForge().encoded, signedBy: [ReceiptAuthority.other.signer],
            [Self.apple.signer, Self.apple.middle, Self.apple.root])
        let step = try #require(try Inspection(bytes, .testing).failedStep)
        // Both signers have one name and one serial number, so the key decides.
        #expect(step.detail == SignatureError.Reason.doesNotFit.inWords)
    }
}

extension InspectionQuestion {
    static var testing: InspectionQuestion {
        var question = InspectionQuestion()
        question.roots = TrustedRoots([ReceiptAuthority.shared.root.der])
        return question
    }
}
