import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A stored receipt, looked at before anybody is asked")
struct LocalReceiptTests {
    private func local(_ text: [UInt8]) -> LocalReceipt { LocalReceipt(ReceiptData(text: text)) }
    private func local(_ text: String) -> LocalReceipt { local(Array(text.utf8)) }

    private func bundle(_ receipt: LocalReceipt) -> BundleID? {
        if case .sendable(let receipt) = receipt { return receipt.bundle }
        return nil
    }

    /// A `+` that came as a space, as in a form that was not encoded, at the very end.
    @Test("is read although its last character, a plus, has become a space")
    func plusAtTheEnd() throws {
        let bytes = try #require(
            (4...12).map { count -> [UInt8] in
                var payload = PayloadForge()
                payload.opaque = Array(repeating: 7, count: count)
                return ReceiptAuthority.shared.receipt(payload.encoded)
            }.first { $0.count.isMultiple(of: 3) })
        // The last six bits of a signature are those of a plus once in 64 times.
        let text = Base64.encode(bytes.dropLast() + [0xFE])
        try #require(text.last == UInt8(ascii: "+"))
        let stored = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        let read = LocalReceipt(ReceiptData(text: stored))
        #expect(read == LocalReceipt(ReceiptData(text: text)))
        guard case .sendable(let receipt) = read else {
            Issue.record("not to be sent")
            return
        }
        #expect(receipt.base64 == text)
        #expect((try? LocatedReceipt(stored))?.bytes == receipt.bytes)
    }

    @Test("is sent as it is when it is whole, and names its app")
    func whole() {
        let text = ReceiptForge.base64()
        guard case .sendable(let receipt) = local(text) else {
            Issue.record("not sendable")
            return
        }
        #expect(receipt.base64 == text)
        #expect(receipt.bundle == "acme")
    }

    @Test("is walked in BER too: indefinite lengths, the content in pieces")
    func ber() {
        let receipt = ReceiptForge.receipt(ReceiptForge.payload(), isBER: true)
        #expect(bundle(local(Base64.encode(receipt))) == "acme")
    }

    @Test("is sent when its attributes cannot be read: Apple shall say what it is worth")
    func strangeContent() {
        for payload in [ReceiptForge.payload(bundle: nil, environment: nil), [], [0x31, 0x7F]] {
            guard case .sendable(let receipt) = local(Base64.encode(ReceiptForge.receipt(payload)))
            else {
                Issue.record("not sendable")
                continue
            }
            #expect(receipt.bundle == nil)
        }
    }

    @Test("is no receipt when it ends too early, at any byte")
    func truncated() {
        let whole = ReceiptForge.receipt(ReceiptForge.payload())
        for count in 1..<whole.count {
            #expect(
                local(Base64.encode(Array(whole[..<count]))) == .unusable(.notAReceipt),
                "\(count) of \(whole.count) bytes")
        }
    }

    @Test("is repaired before it is sent")
    func repaired() {
        let text = ReceiptForge.base64(serial: "62")
        let lines = stride(from: 0, to: text.count, by: 76).map {
            Array(text[$0..<min($0 + 76, text.count)])
        }
        let damaged = [
            Array(lines.joined(separator: Array("\r\n".utf8))),
            Array(lines.joined(separator: Array(" ".utf8))),
            text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 },
            text.filter { $0 != UInt8(ascii: "=") },
        ]
        for text in damaged {
            guard case .sendable(let receipt) = local(text) else {
                Issue.record("not sendable")
                continue
            }
            #expect(receipt.base64 == ReceiptForge.base64(serial: "62"))
        }
    }

    @Test("of Xcode is not sent")
    func xcode() {
        #expect(local(ReceiptForge.base64(environment: "Xcode")) == .unusable(.xcode))
    }

    @Test(
        "is a signed transaction when it is a JWS, also in base64 once more",
        arguments: ["eyJhbGciOiJFUzI1NiJ9.eyJ0IjoiMSJ9.QUJD", " eyJh.eyJ0.QUJD\n"])
    func jws(text: String) {
        #expect(local(text) == .unusable(.jws))
        #expect(local(Base64.encode(Array(text.utf8))) == .unusable(.jws))
    }

    @Test(
        "is no receipt when it is something else",
        arguments: [
            "not a receipt!", "%%%%", "AAFoZWxsbyB3b3JsZA==", "eyJh.b", "MIIB", "e30=", "null",
            "{\"receipt-data\":\"x\"}",
        ])
    func garbage(text: String) { #expect(local(text) == .unusable(.notAReceipt)) }

    @Test("is empty when nothing is there", arguments: ["", "  ", "\r\n\t"])
    func empty(text: String) { #expect(local(text) == .unusable(.empty)) }

    @Test("of iOS 6 is sent, and names its app in its purchase-info")
    func iOS6() {
        let info = Base64.encode(Array("{\n\"bid\" = \"acme\";\n}".utf8))
        let list =
            "{\n\t\"signature\" = \"QUJD\";\n\t\"purchase-info\" = \""
            + String(decoding: info, as: UTF8.self) + "\";\n\t\"pod\" = \"7\";\n}"
        #expect(bundle(local(Base64.encode(Array(list.utf8)))) == "acme")
        let other = "{ \"a\" = \"b\"; }"
        #expect(local(Base64.encode(Array(other.utf8))) == .unusable(.notAReceipt))
    }

    @Test("never prints what is in it")
    func redacted() {
        let text = String(decoding: ReceiptForge.base64(), as: UTF8.self)
        let data = ReceiptData(text)
        for printed in ["\(data)", "\(local(text))", "\(dump(data))", String(reflecting: data)] {
            #expect(!printed.contains(text.prefix(20)))
        }
    }
}
