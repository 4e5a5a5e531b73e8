import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The inspection of a receipt")
struct InspectionTests {
    private static let apple = ReceiptAuthority.shared
    private static let device: [UInt8] = Array(1...16)

    private static func receipt(_ form: SignedForm = SignedForm()) -> [UInt8] {
        var payload = PayloadForge(purchases: [PayloadForge.purchase(), PayloadForge.purchase()])
        payload.deviceHash = SHA1.value(of: device + payload.opaque + ReceiptForge.text("acme"))
        return apple.receipt(payload.encoded, form)
    }

    @Test(
        "DER and BER, with SHA-1 and SHA-256, are genuine, and Apple's refusal would contradict it",
        arguments: SignedDataTests.forms)
    func genuine(form: SignedForm) throws {
        let inspection = try Inspection(Self.receipt(form), .testing)
        #expect(inspection.isGenuine)
        #expect(inspection.certificates.first == "CN=Test Receipt Signing")
        #expect(inspection.certificates.count == 3)
        #expect(try contradictsRefusal(Self.receipt(form)))
    }

    @Test("A receipt of an authority that signed everything with SHA-1 is genuine")
    func oldAuthority() throws {
        let old = ReceiptAuthority(name: "Old", digest: .sha1)
        var question = InspectionQuestion()
        question.roots = TrustedRoots([old.root.der])
        let receipt = old.receipt(PayloadForge().encoded, SignedForm(digest: .sha1))
        #expect(try Inspection(receipt, question).isGenuine)
        #expect(try !Inspection(receipt, InspectionQuestion()).isGenuine)
    }

    @Test("Base64 is accepted too, with the damage that is repaired before sending")
    func located() throws {
        let text = String(decoding: Base64.encode(Self.receipt()), as: UTF8.self)
        for file in [text] + VerifyReceiptRequestTests.damaged(text) {
            let inspection = try Inspection(Array(file.utf8), .testing)
            #expect(inspection.isGenuine)
            #expect(inspection.digest == Digest.sha256(Self.receipt()))
        }
    }

    /// The app, the version and the first byte of the device in the question; the verdicts.
    @Test(
        "App, version and device are compared, and what was not requested does not count as passed",
        arguments: textTable(
            """
            | | | passed passed not_checked not_checked not_checked
            acme | 7 | 1 | passed passed passed passed passed
            acme.other | 8 | 2 | passed passed failed differs failed
            | 8 | | passed passed not_checked differs not_checked
            """))
    func comparisons(row: [String]) throws {
        var question = InspectionQuestion.testing
        question.bundle = row[0].isEmpty ? nil : BundleID(row[0])
        question.appVersion = row[1].isEmpty ? nil : row[1]
        question.deviceIdentifier = UInt8(row[2]).map { Array($0...$0 + 15) }
        let inspection = try Inspection(Self.receipt(), question)
        #expect(inspection.steps.map(\.name) == InspectionStep.Name.allCases)
        #expect(inspection.steps.map(\.verdict.rawValue).joined(separator: " ") == row[3])
        // An older version is no failure.
        #expect(inspection.isGenuine == (row[0] != "acme.other"))
        let detail = inspection.isGenuine ? nil : "the receipt is of acme, not acme.other"
        #expect(inspection.failedStep?.detail == detail)
    }

    @Test("Signed content that is not a set of attributes is reported")
    func noAttributes() throws {
        let inspection = try Inspection(Self.apple.receipt(Array("hello".utf8)), .testing)
        #expect(inspection.failedStep?.name == .located)
        #expect(inspection.payload == nil)
    }

    @Test(
        "A file of another kind is named as what it is",
        arguments: [
            ("", "It is empty"), (" \n", "It is empty"), ("eyJh.eyJi.QUJD", "It is a StoreKit 2"),
            ("hello", "It is no receipt"), ("MIIB", "It is no receipt"),
            (#"{ "a" = "b"; }"#, "It is no receipt"),
        ])
    func noReceipt(text: String, words: String) {
        let error = #expect(throws: NotAReceipt.self) {
            _ = try Inspection(Array(text.utf8), .testing)
        }
        #expect(error?.description.hasPrefix(words) == true)
    }
}

@Suite("The inspection of an iOS 6 receipt")
struct IOS6ReceiptTests {
    private static let apple = ReceiptAuthority.shared
    private static let info = #"""
        {
        \t"bid" = "acme";
        \t"bvrs" = "7";
        \t"purchase-date-ms" = "1714979289000";
        }
        """#.replacing(#"\t"#, with: "\t")

    /// Version 2, whose keys have 1,024 bits, as those of the tests.
    private static func inspection(
        version: UInt8 = 2, signer: TestCertificate = apple.signer, info shown: String = info,
        roots: [TestCertificate] = [apple.root, apple.middle]
    ) throws -> Inspection {
        let length = [0, 0, UInt8(signer.der.count >> 8), UInt8(signer.der.count & 0xFF)]
        let signed = signer.key.signature(of: [2] + Array(info.utf8), .sha1)
        let texts = [[version] + signed + length + signer.der, Array(shown.utf8)].map {
            String(decoding: Base64.encode($0), as: UTF8.self)
        }
        let list = """
            {
            \t"signature" = "\(texts[0])";
            \t"purchase-info" = "\(texts[1])";
            \t"environment" = "Sandbox";
            \t"pod" = "100";
            }
            """
        var question = InspectionQuestion()
        question.roots = TrustedRoots(roots.map(\.der))
        question.bundle = "acme"
        question.appVersion = "7"
        return try Inspection(Array(list.utf8), question)
    }

    @Test("The receipt is genuine if the certificates that it leaves out are known")
    func genuine() throws {
        let inspection = try Self.inspection()
        #expect(inspection.isGenuine)
        #expect(inspection.form == .iOS6)
        #expect(inspection.fields.map(\.name) == ["bid", "bvrs", "purchase-date-ms"])
        // No signature covers these fields.
        #expect(inspection.unsignedFields.map(\.name) == ["environment", "pod"])
        let text = InspectionText(inspection, at: .asOf).text
        #expect(text.contains("\nNot signed, and proof of nothing\n  environment"))
    }

    @Test("The receipt is neither genuine nor forged if those certificates are not known")
    func undecided() throws {
        let inspection = try Self.inspection(roots: [Self.apple.root])
        #expect(inspection.steps.first { $0.name == .signature }?.verdict == .notChecked)
        #expect(!inspection.isGenuine && inspection.failedStep == nil)
        let text = InspectionText(inspection, at: .asOf).text
        #expect(text.contains("\nNeither shown to be genuine"))
    }

    @Test("A receipt that was changed, or that another authority signed, is refused")
    func forged() throws {
        let changed = try Self.inspection(info: Self.info.replacing("7149", with: "7148"))
        #expect(changed.failedStep?.detail.contains("does not fit") == true)
        let own = TestCertificate("Own", serial: 5, key: SigningKey(), isMarked: true)
        let unmarked = TestCertificate("Own", serial: 5, key: SigningKey(), by: Self.apple.middle)
        let inspection = try Self.inspection(signer: unmarked)
        #expect(inspection.failedStep?.detail == SignatureError.Reason.wrongPurpose.inWords)
        for refused in [
            changed, try Self.inspection(version: 9), try Self.inspection(signer: own), inspection,
        ] { #expect(refused.failedStep?.name == .signature) }
    }
}

@Suite("Apple's certificates")
struct AppleRootsTests {
    @Test("The files have the digests that their README gives")
    func digests() throws {
        let page = try SourceTree.file(at: "Sources/Reconcile/Validation/AppleRoots/README.md").text
        #expect(TrustedRoots.apple.certificates.count == 4)
        for certificate in TrustedRoots.apple.certificates {
            #expect(page.contains("`\(Digest.sha256(certificate).hexadecimal)`"))
            #expect(Certificate.isReadable(certificate[...]))
        }
        #expect(
            Digest.sha256(TrustedRoots.apple.certificates[0]).hexadecimal
                == "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")
    }

    @Test("The intermediate certificates complete a chain to a root, and are no roots themselves")
    func onlyRootsEndChains() throws {
        let middle = try #require(TrustedRoots.apple.certificates.last)
        func chain(under roots: TrustedRoots) throws -> (names: [String], signerIsMarked: Bool) {
            // 2020-01-01, when both were valid.
            let chain = try roots.chain(
                from: middle[...], among: [], at: 1_577_836_800, marker: AppleSignature.marker)
            return (chain.names, chain.signerIsMarked)
        }
        let found = try chain(under: .apple)
        #expect(found.names.count == 2)
        #expect(!found.signerIsMarked)
        #expect(throws: SignatureError.self) { try chain(under: TrustedRoots([middle])) }
    }

    @Test("--roots replaces them with files in PEM or DER, with several certificates in one")
    func files() {
        let authority = ReceiptAuthority.shared
        let pem = [authority.root, authority.middle].flatMap { certificate in
            Array("# a note\n-----BEGIN CERTIFICATE-----\n".utf8)
                + Base64.encode(certificate.der) + Array("\n-----END CERTIFICATE-----\n".utf8)
        }
        for (file, certificates) in [
            (pem, [authority.root.der, authority.middle.der]),
            (authority.root.der, [authority.root.der]), (Array(pem.dropLast(30)), nil),
            (Array("hello".utf8), nil),
        ] { #expect(TrustedRoots.certificates(inFile: file) == certificates) }
    }
}
