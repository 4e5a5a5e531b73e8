import Testing

@testable import Reconcile
@testable import TestSupport

/// A PKCS#7 that Apple might have signed.
struct SignedFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let content: [UInt8]

    var bytes: [UInt8] { ReceiptAuthority.shared.receipt(content) }
}

/// To add a case: a `SignedFile` with the content that is signed, among those that are no receipt
/// or those that are.
@Suite("A PKCS#7 that is no receipt")
struct NoReceiptTests {
    private static let attribute = PayloadForge.attribute(2, ReceiptForge.text("acme"))

    @Test(
        "It is unusable, so that it is never sent, and is not inspected",
        arguments: [
            SignedFile(testDescription: "without content, as a code signature", content: []),
            SignedFile(
                testDescription: "a provisioning profile",
                content: Array("<?xml version=\"1.0\"?><plist><dict/></plist>".utf8)),
            SignedFile(testDescription: "an empty set", content: ReceiptForge.tlv(0x31, [])),
            SignedFile(
                testDescription: "a set of other things",
                content: ReceiptForge.tlv(0x31, ReceiptForge.text("acme"))),
            SignedFile(
                testDescription: "a sequence of attributes",
                content: ReceiptForge.tlv(0x30, attribute)),
        ])
    func unusable(file: SignedFile) {
        let local = LocalReceipt(ReceiptData(base64(file.bytes)))
        #expect(local == .unusable(.notAReceipt))
        #expect(throws: NotAReceipt.self) { try Inspection(file.bytes, .testing) }
    }

    @Test("A detached signature, whose content is elsewhere, is unusable")
    func detached() {
        let content = ReceiptForge.tlv(0x30, ReceiptForge.pkcs(7, 1))
        let signed = ReceiptForge.tlv(
            0x30, [2, 1, 1] + ReceiptForge.tlv(0x31, []) + content + ReceiptForge.tlv(0x31, []))
        let bytes = ReceiptForge.tlv(
            0x30, ReceiptForge.pkcs(7, 2) + ReceiptForge.tlv(0xA0, signed))
        let local = LocalReceipt(ReceiptData(base64(bytes)))
        #expect(local == .unusable(.notAReceipt))
        #expect(throws: NotAReceipt.self) { try Inspection(bytes, .testing) }
    }

    @Test(
        "One attribute in a set is enough to ask Apple",
        arguments: [
            SignedFile(
                testDescription: "a single attribute", content: ReceiptForge.tlv(0x31, attribute)),
            SignedFile(
                testDescription: "an attribute among other things",
                content: ReceiptForge.tlv(0x31, ReceiptForge.text("acme") + attribute)),
            SignedFile(
                testDescription: "a set that some tools wrap once more",
                content: ReceiptForge.tlv(4, ReceiptForge.tlv(0x31, attribute))),
        ])
    func sendable(file: SignedFile) {
        guard case .sendable(let receipt) = LocalReceipt(ReceiptData(base64(file.bytes))) else {
            Issue.record("not sendable")
            return
        }
        #expect(receipt.bundle == "acme")
    }
}
