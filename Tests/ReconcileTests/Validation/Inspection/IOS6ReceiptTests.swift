import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The inspection of an iOS 6 receipt")
struct IOS6ReceiptTests {
    private static let apple = ReceiptAuthority.shared
    private static let info = Array(
        """
        {
        \t"bid" = "acme";
        \t"bvrs" = "7";
        \t"purchase-date-ms" = "1714979289000";
        }
        """.utf8)

    /// Version 2, whose keys have 1,024 bits, as those of the tests.
    private static func receipt(
        version: UInt8 = 2, signer: TestCertificate = apple.signer, info: [UInt8] = info
    ) -> [UInt8] {
        let length = [0, 0, UInt8(signer.der.count >> 8), UInt8(signer.der.count & 0xFF)]
        let signature =
            [version] + signer.key.signature(of: [2] + Self.info, .sha1) + length + signer.der
        func text(_ bytes: [UInt8]) -> String {
            String(decoding: Base64.encode(bytes), as: UTF8.self)
        }
        return Array(
            """
            {
            \t"signature" = "\(text(signature))";
            \t"purchase-info" = "\(text(info))";
            \t"environment" = "Sandbox";
            \t"pod" = "100";
            }
            """.utf8)
    }

    private func step(_ bytes: [UInt8], roots: [TestCertificate]) throws -> InspectionStep {
        var question = InspectionQuestion()
        question.roots = TrustedRoots(roots.map(\.der))
        return try #require(
            try Inspection(bytes, question).steps.first { $0.name == .signature })
    }

    @Test("The receipt is genuine if the certificates that it leaves out are known")
    func genuine() throws {
        let step = try step(Self.receipt(), roots: [Self.apple.root, Self.apple.middle])
        #expect(step.verdict == .passed)
        var question = InspectionQuestion()
        question.roots = TrustedRoots([Self.apple.root.der, Self.apple.middle.der])
        question.bundle = "acme"
        question.appVersion = "7"
        let inspection = try Inspection(Self.receipt(), question)
        #expect(inspection.isGenuine)
        #expect(inspection.form == .iOS6)
        #expect(
            inspection.fields.map(\.name) == ["bid", "bvrs", "purchase-date-ms"])
        // No signature covers these fields.
        #expect(inspection.unsignedFields.map(\.name) == ["environment", "pod"])
        let text = InspectionText(inspection, at: .asOf).text
        #expect(text.contains("\nNot signed, and proof of nothing\n  environment"))
    }

    @Test("The receipt is neither genuine nor forged if those certificates are not known")
    func undecided() throws {
        let step = try step(Self.receipt(), roots: [Self.apple.root])
        #expect(step.verdict == .notChecked)
        var question = InspectionQuestion()
        question.roots = TrustedRoots([Self.apple.root.der])
        let inspection = try Inspection(Self.receipt(), question)
        #expect(!inspection.isGenuine && inspection.failedStep == nil)
        #expect(
            InspectionText(inspection, at: .asOf).text.contains("\nNeither shown to be genuine"))
    }

    @Test("A receipt that was changed, or that another authority signed, is refused")
    func forged() throws {
        let roots = [Self.apple.root, Self.apple.middle]
        let changed = Self.receipt(
            info: Array(
                String(decoding: Self.info, as: UTF8.self).replacing("acme", with: "acne").utf8))
        #expect(try step(changed, roots: roots).detail.contains("does not fit"))
        #expect(try step(Self.receipt(version: 9), roots: roots).verdict == .failed)
        let own = TestCertificate("Own", serial: 5, key: SigningKey(), isMarked: true)
        #expect(try step(Self.receipt(signer: own), roots: roots).verdict == .failed)
        let unmarked = TestCertificate(
            "Signer", serial: 5, key: SigningKey(), by: Self.apple.middle)
        #expect(
            try step(Self.receipt(signer: unmarked), roots: roots).detail
                == SignatureError.Reason.wrongPurpose.inWords)
    }
}
