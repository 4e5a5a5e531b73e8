import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The precheck of a stored receipt")
struct LocalReceiptTests {
    private func local(_ bytes: [UInt8]) -> LocalReceipt {
        LocalReceipt(ReceiptData(text: Base64.encode(bytes)))
    }

    private func sendable(_ bytes: [UInt8]) throws -> SendableReceipt {
        guard case .sendable(let receipt) = local(bytes) else { throw CancellationError() }
        return receipt
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
        let whole = Array(bytes.dropLast()) + [0xFE]
        let text = Base64.encode(whole)
        try #require(text.last == UInt8(ascii: "+"))
        let stored = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        #expect(LocalReceipt(ReceiptData(text: stored)) == local(whole))
        #expect(try sendable(whole).base64 == text)
        #expect(Array(try LocatedReceipt(stored).bytes) == whole)
    }

    @Test("BER with indefinite lengths and content in pieces is read, and so is iOS 6")
    func otherForms() throws {
        let receipt = ReceiptForge.receipt(ReceiptForge.payload(), isBER: true)
        #expect(try sendable(receipt).bundle == "acme")
        let info = Base64.encode(Array("{\n\"bid\" = \"acme\";\n}".utf8))
        let list = "{\n\t\"signature\" = \"QUJD\";\n\t\"pod\" = \"7\";\n\t\"purchase-info\" = \""
        #expect(try sendable(Array(list.utf8) + info + Array("\";\n}".utf8)).bundle == "acme")
    }

    @Test("A receipt with unreadable attributes is sent, and Apple decides")
    func strangeContent() throws {
        for payload in [ReceiptForge.payload(bundle: nil, environment: nil), [], [0x31, 0x7F]] {
            #expect(try sendable(ReceiptForge.receipt(payload)).bundle == nil)
        }
    }

    @Test("A receipt that was cut at any byte is no receipt")
    func truncated() {
        let whole = ReceiptForge.receipt(ReceiptForge.payload())
        for count in 1..<whole.count {
            #expect(local(Array(whole[..<count])) == .unusable(.notAReceipt), "\(count) bytes")
        }
    }
}

@Suite("The payload of a receipt")
struct ReceiptPayloadTests {
    @Test("Fifty thousand purchases are read, and no more")
    func bounded() throws {
        // An attribute of type 17, version 1, whose value is an empty set.
        let purchase: [UInt8] = [0x30, 10, 2, 1, 17, 2, 1, 1, 4, 2, 0x31, 0]
        func payload(_ count: Int) -> ArraySlice<UInt8> {
            let body = (0..<count).flatMap { _ in purchase }
            let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) }
            return ([0x31, 0x83] + length + body)[...]
        }
        #expect(try ReceiptPayload(payload(50_000)).purchases.count == 50_000)
        #expect(throws: DERError.self) { try ReceiptPayload(payload(50_001)) }
    }

    @Test("A damaged purchase is left out and counted, and the others are kept")
    func damagedPurchase() throws {
        let payload = try ReceiptPayload(
            PayloadForge(purchases: [PayloadForge.purchase(id: "1"), [0x31, 0x7F], [0x30, 0]])
                .encoded[...])
        #expect(payload.purchases.map(\.transaction) == ["1"])
        #expect(payload.unreadable == 2)
    }

    @Test("A payload may be wrapped twice, and no deeper")
    func wrappedTwice() throws {
        let once = ReceiptForge.tlv(4, PayloadForge().encoded)
        #expect(try ReceiptPayload(once[...]).bundle == "acme")
        #expect(throws: DERError.self) { try ReceiptPayload(ReceiptForge.tlv(4, once)[...]) }
    }

    @Test(
        "Dates are read in RFC 3339, also with the UTC offsets of Xcode",
        arguments: textPairs(
            """
            2020-07-22T18:33:15+0100 | 2020-07-22T17:33:15Z
            2020-07-22T18:33:15-0230 | 2020-07-22T21:03:15Z
            2020-07-22T18:33:15Z     | 2020-07-22T18:33:15Z
            2020 |
             |
            """))
    func dates(text: String, instant: String) throws {
        let payload = try ReceiptPayload(PayloadForge(createdAt: text).encoded[...])
        #expect(payload.createdAt?.description ?? "" == instant)
    }
}
