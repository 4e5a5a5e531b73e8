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
        return payload.signed(form)
    }

    @Test(
        "A rightly signed receipt of any app is genuine in DER and BER, even if Apple refused it",
        arguments: SignedForm.all)
    func genuine(form: SignedForm) throws {
        let receipt = Self.receipt(form)
        let inspection = try Inspection(receipt, .testing)
        #expect(inspection.isGenuine)
        #expect(inspection.digest == Digest.sha256(receipt))
        let names = ["CN=Test Receipt Signing", "CN=Test Developer Relations", "CN=Test Root"]
        #expect(inspection.certificates == names)
        #expect(inspection.payload?.purchases.count == 2)
        #expect(inspection.steps[0].detail.contains(form.isBER ? "(BER)" : "(DER)"))
        #expect(try contradictsRefusal(receipt))
        #expect(try !contradictsRefusal(receipt, trusting: .apple))
        #expect(try contradictsRefusal(PayloadForge(bundle: "acme.other").signed(form)))
    }

    @Test("A receipt of an authority that signed everything with SHA-1 is genuine")
    func oldAuthority() throws {
        let old = ReceiptAuthority(name: "Old", digest: .sha1)
        let receipt = PayloadForge().signed(by: old, SignedForm(digest: .sha1))
        #expect(try contradictsRefusal(receipt, trusting: TrustedRoots([old.root.der])))
        #expect(try !contradictsRefusal(receipt, trusting: .apple))
    }

    /// A question about the receipt of acme, version 7, and the results of its last three steps.
    /// To add a case, copy one.
    struct Comparison: Sendable {
        var app: BundleID?
        var version: String?
        var device: [UInt8]?
        let results: [InspectionStep.CheckResult]
        /// Why the receipt is not genuine for this app.
        var failure: String?
    }

    @Test(
        "App, version and device are compared, and what was not requested does not count as passed",
        arguments: [
            Comparison(results: [.notChecked, .notChecked, .notChecked]),
            Comparison(
                app: "acme", version: "7", device: device, results: [.passed, .passed, .passed]),
            Comparison(
                app: "acme.other", version: "8", device: Array(2...17),
                results: [.failed, .differs, .failed],
                failure: "the receipt is of acme, not acme.other"),
            // An older version is no failure.
            Comparison(version: "8", results: [.notChecked, .differs, .notChecked]),
        ])
    func comparisons(comparison: Comparison) throws {
        var question = InspectionQuestion.asking(comparison.app, version: comparison.version)
        question.deviceIdentifier = comparison.device
        let inspection = try Inspection(Self.receipt(), question)
        #expect(inspection.steps.map(\.name) == [.located, .signature, .bundle, .version, .device])
        #expect(inspection.steps.map(\.result) == [.passed, .passed] + comparison.results)
        #expect(inspection.isGenuine == (comparison.failure == nil))
        #expect(inspection.failedStep?.detail == comparison.failure)
    }

    @Test(
        "A file of another kind is named in the message",
        arguments: [
            (text: "", words: "It is empty"), (" \n", "It is empty"),
            ("eyJh.eyJi.QUJD", "It looks like a StoreKit 2"),
            ("MIIB", "It is no receipt"), (#"{ "a" = "b"; }"#, "It is no receipt"),
        ])
    func noReceipt(text: String, words: String) throws {
        let error = #expect(throws: NotAReceipt.self) { try Inspection(Array(text.utf8), .testing) }
        #expect(error?.description.hasPrefix(words) == true)
    }

    private static let info =
        #"{ "bid" = "acme"; "bvrs" = "7"; "purchase-date-ms" = "1714979289000"; }"#

    /// Of an iOS 6 receipt, of version 2, whose keys have 1,024 bits, as those of the tests.
    private static func inspection(
        version: UInt8 = 2, signer: TestCertificate = apple.signer, info shown: String = info,
        roots: [TestCertificate] = [apple.root, apple.middle]
    ) throws -> Inspection {
        let length = [0, 0, UInt8(signer.der.count >> 8), UInt8(signer.der.count & 0xFF)]
        let signed = signer.key.signature(of: [2] + Array(info.utf8), .sha1)
        let signature = base64([version] + signed + length + signer.der)
        let list = #"""
            { "signature" = "\#(signature)"; "purchase-info" = "\#(base64(Array(shown.utf8)))"; \#
            "environment" = "Sandbox"; "pod" = "100"; }
            """#
        let roots = TrustedRoots(roots.map(\.der))
        return try Inspection(Array(list.utf8), .asking("acme", version: "7", trusting: roots))
    }

    @Test("An iOS 6 receipt is genuine if the certificates that it omits are known, else undecided")
    func genuineOfIOS6() throws {
        let inspection = try Self.inspection()
        #expect(inspection.isGenuine)
        #expect(inspection.form == .iOS6)
        #expect(inspection.fields.map(\.name) == ["bid", "bvrs", "purchase-date-ms"])
        #expect(inspection.unsignedFields.map(\.name) == ["environment", "pod"])
        let text = InspectionText(inspection, at: .asOf).text
        #expect(text.contains("\nNot signed, and proof of nothing\n  environment"))
        let undecided = try Self.inspection(roots: [Self.apple.root])
        #expect(undecided.steps.first { $0.name == .signature }?.result == .notChecked)
        #expect(!undecided.isGenuine)
        #expect(undecided.failedStep == nil)
        #expect(InspectionText(undecided, at: .asOf).text.contains("\nNeither shown to be genuine"))
    }

    @Test("An iOS 6 receipt that was changed, or that another authority signed, is refused")
    func forgedOfIOS6() throws {
        let own = TestCertificate("Own", serial: 5, isMarked: true)
        let unmarked = TestCertificate("Own", serial: 5, key: own.key, by: Self.apple.middle)
        for (label, inspection, reason) in try [
            (
                "changed", Self.inspection(info: Self.info.replacing("7149", with: "7148")),
                .doesNotFit
            ),
            (
                "without Apple's marker", Self.inspection(signer: unmarked),
                .wrongPurpose
            ),
            ("of another version", Self.inspection(version: 9), .algorithmUnsupported),
            (
                "of another authority", Self.inspection(signer: own),
                .untrusted("self-signed certificate")
            ),
        ] as [(String, Inspection, SignatureError.Reason)] {
            #expect(inspection.failedStep?.name == .signature, "\(label)")
            #expect(inspection.failedStep?.detail == reason.inWords, "\(label)")
        }
    }
}

@Suite("Apple's certificates")
struct AppleRootsTests {
    @Test("The files have the README's digests; an intermediate certificate is no root itself")
    func digests() throws {
        let page = try SourceTree.file(at: "Sources/Reconcile/Receipts/AppleRoots/README.md").text
        let digests = TrustedRoots.apple.certificates.map { Digest.sha256($0).hexadecimal }
        #expect(digests.count == 5)
        #expect(digests[0] == "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")
        // Apple Root CA - G3, in which the chains of JWS end.
        #expect(digests[2] == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
        #expect(digests.allSatisfy { page.contains("`\($0)`") })
        #expect(TrustedRoots.apple.certificates.allSatisfy { Certificate.isReadable($0[...]) })
        let middle = TrustedRoots.apple.certificates[3]
        func chain(under roots: TrustedRoots) throws -> CertificateChain {
            // 2020-01-01, when both were valid.
            try roots.chain(
                from: middle[...], among: [], at: 1_577_836_800,
                markers: [SignedReceipt.marker])
        }
        let found = try chain(under: .apple)
        #expect(found.names.count == 2)
        #expect(!found.signerIsMarked)
        #expect(throws: SignatureError.self) { try chain(under: TrustedRoots([middle])) }
    }

    @Test("--roots replaces them with files in PEM or DER, with several certificates in one")
    func files() {
        let (root, middle) = (ReceiptAuthority.shared.root, ReceiptAuthority.shared.middle)
        let pem = Array("# a note\n\(root.pem)# another\n\(middle.pem)".utf8)
        for (file, certificates) in [
            (pem, [root.der, middle.der]), (root.der, [root.der]), (pem.dropLast(30), nil),
            (Array("hello".utf8), nil),
        ] { #expect(TrustedRoots.certificates(inFile: file) == certificates) }
    }
}
