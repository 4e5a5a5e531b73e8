import Testing

@testable import Reconcile
@testable import TestSupport

/// A receipt that Apple did not sign so, and why it is refused.
private struct Forgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: SignatureError.Reason
    let bytes: [UInt8]

    init(_ label: String, _ reason: SignatureError.Reason, _ bytes: [UInt8]) {
        testDescription = label
        self.reason = reason
        self.bytes = bytes
    }
}

/// To add a case, copy a row of `forgeries`.
@Suite("A forged receipt", .hangLimit)
struct ForgeryTests {
    private static let apple = ReceiptAuthority.shared
    private static let payload = PayloadForge(purchases: [PayloadForge.purchase()]).encoded
    private static let whole = apple.receipt(payload)
    private static let list = Array(#"{ "signature" = "QUJD"; "purchase-info" = "e30="; }"#.utf8)
    private static let another = ReceiptAuthority(name: "Another")
    private static let own = TestCertificate("Apple", serial: 8, isMarked: true)
    private static let ended = SignatureError.Reason.notValidThen("certificate has expired")
    private static let early = SignatureError.Reason.notValidThen("certificate is not yet valid")
    private static let damaged = SignatureError.Reason.untrusted("certificate signature failure")
    private static let twice = container(
        [apple.signer, another.signer], [apple.signer, another.signer])
    private static let withAttributes = PayloadForge().signed(SignedForm(hasAttributes: true))
    private static let middles = Array(repeating: apple.middle, count: 16)
    private static let sha256 = SigningKey.Digest.sha256.algorithm
    private static let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]

    private static let forgeries: [Forgery] =
        [
            Forgery(
                "a signer without Apple's marker", .wrongPurpose,
                signed(by: TestCertificate("Signer", serial: 7, by: apple.middle))),
            // The receipt was made on 6 May 2024.
            Forgery(
                "a signer until the day before", ended,
                signed(by: certificate(from: "200101", until: "240505"))),
            Forgery(
                "a signer from the day after", early,
                signed(by: certificate(from: "240507"))),
            Forgery("an authority until the day before", ended, signed(middleUntil: "240505")),
            Forgery(
                "another root of the same name", damaged, ReceiptAuthority.other.receipt(payload)),
            Forgery(
                "a root of another name",
                .untrusted("self-signed certificate in certificate chain"),
                another.receipt(payload)),
            Forgery("the signer alone", .issuerMissing, container([apple.signer], [apple.signer])),
            Forgery("a signer of its own", .untrusted("self-signed certificate"), signed(by: own)),
            Forgery(
                "an issuer that is no authority", .untrusted("invalid CA certificate"),
                signed(isMiddleAuthority: false)),
            Forgery(
                "the signer twice", .severalSigners(2), container([apple.signer, apple.signer])),
            Forgery("a further signer", .severalSigners(2), twice),
            Forgery(
                "a further signer whose signature was changed", .severalSigners(2),
                altered(twice.suffix(9), at: 8, in: twice)),
            Forgery("no signature", .unsigned, ReceiptForge.receipt(payload)),
            Forgery("no date", .undated, PayloadForge(createdAt: "").signed()),
            Forgery(
                "another key of the same name and serial number", .doesNotFit,
                container([ReceiptAuthority.other.signer])),
            Forgery(
                "the modulus of the signer's key", .doesNotFit,
                altered(apple.signer.key.publicInfo, at: 60)),
            Forgery(
                "no certificate of the signer", .certificateMissing,
                container([apple.signer], [apple.middle, apple.root])),
            Forgery(
                "the serial number of the signer's certificate", .certificateMissing,
                altered(apple.signer.der, at: 14)),
            Forgery(
                "the issuer's name in the signature", .certificateMissing,
                altered(apple.signer.issuer, at: 15, isLast: true)),
            Forgery(
                "the length in the signer's key", .unreadable,
                altered([1, 1, 1, 5, 0, 3], at: 10, by: 0xFF)),
            // 1.2.840.113549.1.1.10, instead of the key's own algorithm, which is last.
            Forgery(
                "RSA-PSS", .algorithmUnsupported,
                altered(pkcs + [1, 1], at: 8, by: 1 ^ 10, isLast: true)),
            // The last digest becomes 2.16.840.1.101.3.4.2.127.
            Forgery(
                "an unknown digest of the signer", .algorithmUnsupported,
                altered(sha256, at: 12, by: 1 ^ 0x7F, isLast: true)),
            // 1.2.840.113549.1.1.99.
            Forgery(
                "an unknown algorithm of the signer's key", .algorithmUnsupported,
                altered(pkcs + [1, 1, 5, 0, 3], at: 8, by: 1 ^ 99)),
            Forgery(
                "another attribute in place of the content type", .algorithmUnsupported,
                altered(pkcs + [9, 3], at: 8, by: 3 ^ 99, in: withAttributes)),
            Forgery(
                "17 signers", .algorithmUnsupported,
                container(Array(repeating: apple.signer, count: 17))),
            Forgery(
                "too many certificates", .algorithmUnsupported,
                container([apple.signer], apple.certificates + middles)),
        ]
        // The last byte is of the issuer's signature.
        + zip(
            [("signer", damaged), ("authority", damaged), ("root", .strayCertificate)],
            apple.certificates
        ).map { altering, certificate in
            Forgery(
                "the signature of the \(altering.0)'s certificate", altering.1,
                altered(certificate.der, at: certificate.der.count - 1))
        }
        + (0...3).map { index in
            var certificates = apple.certificates
            certificates.insert(another.root, at: index)
            return Forgery(
                "a stray certificate at \(index)", .strayCertificate,
                container([apple.signer], certificates))
        }

    private static func certificate(
        by issuer: TestCertificate = apple.middle, from start: String = "080101",
        until end: String = "491231"
    ) -> TestCertificate {
        TestCertificate("Signer", serial: 7, by: issuer, days: (start, end), isMarked: true)
    }

    private static func container(
        _ signers: [TestCertificate], _ certificates: [TestCertificate] = apple.certificates
    ) -> [UInt8] { SignedForm().container(of: payload, signedBy: signers, certificates) }

    /// The receipt with one byte of the first or last `part` changed.
    private static func altered(
        _ part: some Collection<UInt8>, at index: Int, by change: UInt8 = 1, isLast: Bool = false,
        in receipt: [UInt8] = whole
    ) -> [UInt8] {
        let parts = receipt.ranges(of: part)
        var bytes = receipt
        bytes[parts[isLast ? parts.count - 1 : 0].lowerBound + index] ^= change
        return bytes
    }

    private static func signed(by signer: TestCertificate) -> [UInt8] {
        container([signer], [signer, apple.middle, apple.root])
    }

    private static func signed(
        middleUntil end: String = "491231", isMiddleAuthority isAuthority: Bool = true
    ) -> [UInt8] {
        let middle = TestCertificate(
            "Middle", serial: 7, by: apple.root, days: ("080101", end), isAuthority: isAuthority)
        let signer = certificate(by: middle)
        return container([signer], [signer, middle, apple.root])
    }

    @Test("What Apple would not sign is refused with the reason, offline too", arguments: forgeries)
    fileprivate func refused(forgery: Forgery) throws {
        let (reason, bytes) = (forgery.reason, forgery.bytes)
        let inspection = try Inspection(bytes, .testing)
        #expect(inspection.failedStep?.name == .signature)
        #expect(inspection.failedStep?.detail == reason.inWords)
        #expect(!inspection.isGenuine)
        #expect(inspection.certificates.isEmpty)
        #expect(try !contradictsRefusal(bytes))
        // Only what proves a change after signing rejects the receipt without Apple.
        let isRejected = reason == .doesNotFit
        let offline = try OfflineReadingTests.report(bytes)
        #expect(offline.validation == (isRejected ? .rejected(.signature) : .unverified(.offline)))
        if !isRejected, reason != .undated {
            #expect(offline.attempts.detail == "judged offline: " + reason.inWords)
        }
        let malformed = Validation.unverified(.malformedAccordingToApple)
        let origin = AppleSignature(.testing).origin(of: SendableReceipt(encoding: bytes))
        let outcome = malformed.judging(origin)
        #expect(outcome == (isRejected ? .rejected(.signature) : malformed))
    }

    @Test("Only an altered receipt is rejected when 21002, malformed, is Apple's last answer")
    func malformed() async throws {
        let altered = Self.altered("acme".utf8, at: 0)
        let malformed = ReceiptOutcome.unverified(.malformedAccordingToApple)
        for (bytes, last, outcome) in [
            (altered, 21002, .rejected(.signature)),
            (altered, 21009, .unverified(.appleUnavailable)), (Self.whole, 21002, malformed),
            (Self.list, 21002, malformed),
        ] {
            let apple = try ScriptedApple { ask in
                [.reply(AppleAnswer.status(ask.attempt == 1 ? 21002 : last))]
            }
            let look = try await Asking.testing(apple).look(at: base64(bytes))
            #expect(look.outcome == outcome)
        }
        #expect(try !contradictsRefusal(Self.list))
    }

    private func isGenuine(_ bytes: [UInt8]) -> Bool {
        (try? Inspection(bytes, .testing))?.isGenuine == true
    }

    @Test("A change in any byte of payload or signature is found", arguments: SignedForm.all)
    func everyByte(form: SignedForm) throws {
        let whole = Self.apple.receipt(Self.payload, form)
        let signed = try SignedData(whole)
        // In BER the payload is in pieces, at other offsets.
        var indices = form.isBER ? [] : Array(signed.content.indices)
        indices += try #require(try signed.signers().first).signature.indices
        let digest = form.hasAttributes ? [form.digest.value(of: Self.payload)] : []
        for part in [Array("acme".utf8)] + digest {
            indices.append(try #require(whole.firstRange(of: part)).lowerBound)
        }
        #expect(indices.count > 128)
        for index in indices {
            for bit in Set<UInt8>([1, 1 << UInt8(index % 8)]) {
                var bytes = whole
                bytes[index] ^= bit
                guard let inspection = try? Inspection(bytes, .testing) else {
                    // Its content is not a set of attributes any more.
                    #expect(ReceiptContainer(bytes) == nil, "byte \(index)")
                    continue
                }
                let step = inspection.steps.first { $0.name == .signature }
                #expect(step?.detail == SignatureError.Reason.doesNotFit.inWords, "byte \(index)")
                #expect(!inspection.isGenuine)
                guard index % 50 == 0 else { continue }
                let offline = try OfflineReadingTests.report(bytes)
                #expect(offline.validation == .rejected(.signature))
                #expect(try !contradictsRefusal(bytes))
            }
        }
    }

    @Test("A change in any byte of the certificates, the root's too, is refused")
    func everyByteOfCertificates() throws {
        #expect(isGenuine(Self.whole))
        let indices = Set(try SignedData(Self.whole).certificates().flatMap(\.indices))
        #expect(indices.count > 1_000)
        for index in indices {
            for bit in Set<UInt8>([1, 1 << UInt8(index % 8)]) {
                var bytes = Self.whole
                bytes[index] ^= bit
                #expect(!isGenuine(bytes), "byte \(index)")
            }
        }
    }

    @Test("A receipt that was cut at any length, or has no signed content, is no receipt")
    func truncated() throws {
        let empty = SignedForm().container(of: [], signedBy: [], Self.apple.certificates)
        for bytes in Self.whole.indices.map({ Array(Self.whole[..<$0]) }) + [empty] {
            #expect(throws: NotAReceipt.self, "\(bytes)") { try Inspection(bytes, .testing) }
        }
        let unsigned = ReceiptForge.receipt(ReceiptForge.payload())
        for whole in [Self.whole, unsigned] {
            for count in 1..<whole.count {
                let local = LocalReceipt(ReceiptData(base64(Array(whole[..<count]))))
                #expect(local == .unusable(.notAReceipt), "\(count) bytes")
            }
        }
    }

    @Test("A further certificate of the same authority, or a repeated one, does no harm")
    func knownCertificateBeside() {
        let ended = Self.certificate(by: Self.apple.root, until: "100101")
        for beside in [ended, Self.apple.middle, Self.apple.root] {
            let certificates = Self.apple.certificates + [beside]
            #expect(isGenuine(Self.container([Self.apple.signer], certificates)))
        }
    }
}

/// Whether the receipt itself proves that Apple signed it, which a refusal (21003) contradicts.
func contradictsRefusal(_ bytes: [UInt8], trusting roots: TrustedRoots = .testing) throws -> Bool {
    let asking = try Asking.testing(roots: roots)
    return asking.origin(of: try asking.question(base64(bytes))) == .apple
}

extension InspectionQuestion {
    static var testing: InspectionQuestion { asking() }

    static func asking(
        _ bundle: BundleID? = nil, version: String? = nil, trusting roots: TrustedRoots = .testing
    ) -> InspectionQuestion {
        var question = InspectionQuestion()
        question.roots = roots
        question.bundle = bundle
        question.appVersion = version
        return question
    }
}
