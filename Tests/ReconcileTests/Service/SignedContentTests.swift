import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test with a variant of a receipt and whether its signed content is the same.
@Suite("What Apple signed in a receipt")
struct SignedContentTests {
    private static let apple = ReceiptAuthority.shared
    private static let signature = AppleSignature(
        TrustedRoots([apple.root.der, apple.middle.der]))
    private static let payload = PayloadForge().encoded

    private static func content(_ bytes: [UInt8]) -> Digest? {
        signature.content(of: SendableReceipt(encoding: bytes))?.digest
    }

    @Test("Variants of an app receipt have the same content, and another receipt has another")
    func pkcs7() {
        let content = Self.content(Self.apple.receipt(Self.payload))
        #expect(content == Digest.sha256(Self.payload))
        #expect(Self.content(Self.apple.receipt(Self.payload) + [7]) == content)
        let form = SignedForm(afterSignature: ReceiptForge.tlv(0xA1, [0x30, 0]))
        #expect(Self.content(Self.apple.receipt(Self.payload, form)) == content)
        var other = PayloadForge()
        other.opaque = [9]
        #expect(Self.content(Self.apple.receipt(other.encoded)) != content)
    }

    @Test("An iOS 6 receipt has the same content with any fields around its signature")
    func iOS6() {
        let signer = Self.apple.signer
        let content = Self.content(IOS6Forge.receipt(by: signer))
        #expect(content != nil)
        #expect(Self.content(IOS6Forge.receipt(by: signer, around: #""pod" = "7";"#)) == content)
        #expect(Self.content(IOS6Forge.receipt(by: signer, transaction: "2")) != content)
    }

    @Test("A receipt that Apple did not sign, or that was altered, has no content of Apple's")
    func unproven() {
        #expect(Self.content(IOS6Forge.unsigned()) == nil)
        #expect(Self.content(IOS6Forge.receipt(by: Self.apple.signer, presented: "2")) == nil)
        #expect(Self.content(ReceiptAuthority.other.receipt(Self.payload)) == nil)
        #expect(Self.content([1, 2, 3]) == nil)
    }
}
