import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test that notes bytes with a content, and compares which are the first.
@Suite("The contents that Apple signed")
struct ReceiptContentsTests {
    private let contents = ReceiptContents()

    private func digest(_ text: String) -> Digest { Digest.sha256(Array(text.utf8)) }

    private func isFirst(_ bytes: String, _ content: String) -> Bool {
        contents.isFirst(digest(bytes), with: digest(content))
    }

    private func counts(_ bytes: String, _ content: String) -> Bool {
        contents.countFailure(of: digest(bytes), with: digest(content))
    }

    @Test("The first bytes with a content stay its first")
    func first() {
        #expect(isFirst("a", "receipt"))
        #expect(!isFirst("b", "receipt"))
        #expect(isFirst("a", "receipt"))
        #expect(isFirst("b", "other receipt"))
    }

    @Test("Failures count for the first bytes only, and four times")
    func failures() {
        #expect(isFirst("a", "receipt"))
        #expect(!counts("b", "receipt"))
        #expect(
            (1...6).map { _ in counts("a", "receipt") } == [true, true, true, true, false, false])
        #expect(counts("c", "other receipt"))
    }

    @Test("The older half of many contents is forgotten, and the newer half known")
    func bounded() {
        for number in 0..<3 * ReceiptContents.most { #expect(isFirst("a", "\(number)")) }
        #expect(!isFirst("b", "\(3 * ReceiptContents.most - 1)"))
        #expect(!isFirst("b", "\(ReceiptContents.most)"))
        #expect(isFirst("b", "0"))
    }
}

/// To add a case: a `SignedForm`, or bytes that differ from it, and whether it is whole.
@Suite("A receipt in the form in which Apple writes it")
struct AppleFormTests {
    private static let apple = ReceiptAuthority.shared
    private static let signature = AppleSignature(
        TrustedRoots([apple.root.der, apple.middle.der]))
    private static let payload = PayloadForge().encoded

    private func content(_ bytes: [UInt8]) -> AppleContent? {
        Self.signature.content(of: SendableReceipt(encoding: bytes))
    }

    private func isWhole(_ bytes: [UInt8]) -> Bool { content(bytes)?.isWhole == true }

    @Test(
        "DER is, with either digest and with signed attributes of any length",
        arguments: SignedForm.all.filter { !$0.isBER })
    func der(form: SignedForm) {
        #expect(isWhole(Self.apple.receipt(Self.payload, form)))
    }

    @Test("Certificates may come in any order")
    func order() {
        let certificates = [Self.apple.root, Self.apple.signer, Self.apple.middle]
        #expect(
            isWhole(
                SignedForm().container(
                    of: Self.payload, signedBy: [Self.apple.signer], certificates)))
    }

    @Test("An iOS 6 receipt is, with the fields that Apple writes around its signature")
    func iOS6() {
        #expect(isWhole(IOS6Forge.receipt(by: Self.apple.signer)))
        let sandbox = #""environment" = "Sandbox"; "pod" = "100"; "signing-status" = "0";"#
        #expect(isWhole(IOS6Forge.receipt(by: Self.apple.signer, around: sandbox)))
    }

    @Test(
        "Nothing else is that Apple signed, nor anything that it did not sign",
        arguments: HandedIn.variants + HandedIn.strange)
    func others(receipt: HandedIn) {
        #expect(!isWhole(receipt.bytes))
    }

    @Test("A changed byte outside the signed parts is noticed, wherever it is")
    func everyByte() throws {
        let receipt = Self.apple.receipt(Self.payload)
        for index in receipt.indices {
            var changed = receipt
            changed[index] ^= 1
            #expect(!isWhole(changed), "byte \(index)")
        }
        #expect(content(receipt)?.digest == Digest.sha256(Self.payload))
    }
}
