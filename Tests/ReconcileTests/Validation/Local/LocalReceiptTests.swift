import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The precheck of a stored receipt")
struct LocalReceiptTests {
    private func local(_ text: [UInt8]) -> LocalReceipt { LocalReceipt(ReceiptData(text: text)) }
    private func local(_ text: String) -> LocalReceipt { local(Array(text.utf8)) }

    private func bundle(_ receipt: LocalReceipt) -> BundleID? {
        if case .sendable(let receipt) = receipt { return receipt.bundle }
        return nil
    }

    /// A form that was not encoded turns `+` into a space, here at the very end.
    @Test("A receipt whose last character, a plus, became a space is repaired")
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

    @Test("An undamaged receipt is sent unchanged, and its app is read")
    func whole() {
        let text = ReceiptForge.base64()
        guard case .sendable(let receipt) = local(text) else {
            Issue.record("not sendable")
            return
        }
        #expect(receipt.base64 == text)
        #expect(receipt.bundle == "acme")
    }

    @Test("BER with indefinite lengths and content in pieces is read")
    func ber() {
        let receipt = ReceiptForge.receipt(ReceiptForge.payload(), isBER: true)
        #expect(bundle(local(Base64.encode(receipt))) == "acme")
    }

    @Test("A receipt with unreadable attributes is sent, and Apple decides")
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

    @Test("A receipt that was cut at any byte is no receipt")
    func truncated() {
        let whole = ReceiptForge.receipt(ReceiptForge.payload())
        for count in 1..<whole.count {
            #expect(
                local(Base64.encode(Array(whole[..<count]))) == .unusable(.notAReceipt),
                "\(count) of \(whole.count) bytes")
        }
    }

    @Test("A damaged receipt is repaired before it is sent")
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

    @Test("A receipt from Xcode is not sent")
    func xcode() {
        #expect(local(ReceiptForge.base64(environment: "Xcode")) == .unusable(.xcode))
    }

    @Test(
        "A JWS is a signed transaction, also when it is encoded once more",
        arguments: ["eyJhbGciOiJFUzI1NiJ9.eyJ0IjoiMSJ9.QUJD", " eyJh.eyJ0.QUJD\n"])
    func jws(text: String) {
        #expect(local(text) == .unusable(.jws))
        #expect(local(Base64.encode(Array(text.utf8))) == .unusable(.jws))
    }

    @Test(
        "Any other data is no receipt",
        arguments: [
            "not a receipt!", "%%%%", "AAFoZWxsbyB3b3JsZA==", "eyJh.b", "MIIB", "e30=", "null",
            "{\"receipt-data\":\"x\"}",
        ])
    func garbage(text: String) { #expect(local(text) == .unusable(.notAReceipt)) }

    @Test("Missing data is an empty receipt", arguments: ["", "  ", "\r\n\t"])
    func empty(text: String) { #expect(local(text) == .unusable(.empty)) }

    @Test("An iOS 6 receipt is sent, and its app is read from purchase-info")
    func iOS6() {
        let info = Base64.encode(Array("{\n\"bid\" = \"acme\";\n}".utf8))
        let list =
            "{\n\t\"signature\" = \"QUJD\";\n\t\"purchase-info\" = \""
            + String(decoding: info, as: UTF8.self) + "\";\n\t\"pod\" = \"7\";\n}"
        #expect(bundle(local(Base64.encode(Array(list.utf8)))) == "acme")
        let other = "{ \"a\" = \"b\"; }"
        #expect(local(Base64.encode(Array(other.utf8))) == .unusable(.notAReceipt))
    }

    @Test("No description shows receipt data")
    func redacted() {
        let text = String(decoding: ReceiptForge.base64(), as: UTF8.self)
        let data = ReceiptData(text)
        for printed in ["\(data)", "\(local(text))", "\(dump(data))", String(reflecting: data)] {
            #expect(!printed.contains(text.prefix(20)))
        }
    }
}
