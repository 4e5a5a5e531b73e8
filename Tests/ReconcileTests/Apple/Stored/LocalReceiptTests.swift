import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a test with a stored text and what `LocalReceipt` makes of it; of dates, a row
/// with the text and the same instant in UTC, nil if it is refused.
@Suite("The precheck of a stored receipt")
struct LocalReceiptTests {
    private func sendable(_ text: String) throws -> SendableReceipt {
        guard case .sendable(let receipt) = LocalReceipt(ReceiptData(text))
        else { throw CancellationError() }
        return receipt
    }

    @Test("Base64 that was damaged on its way into the database is repaired")
    func repairs() throws {
        // Base64 with everything that can be damaged: plus, slash and padding.
        let receipt = ReceiptForge.base64(serial: "\u{3EF}?\u{3EF}>\u{3FE}~?>~~?>")
        for character in "+/=" { try #require(receipt.contains(character)) }
        let unpadded = receipt.replacing("=", with: "")
        let inLines = ["\n", "\r\n", " "].map { end in
            receipt.replacing(#/.{64}/#) { "\($0.output)\(end)" }
        }
        for damaged in inLines + [
            receipt.replacing(#/.{76}/#) { "\($0.output) " }, "\n\(receipt)\n",
            receipt.replacing("+", with: " "), unpadded, unpadded + "\n", receipt + "==",
            receipt.replacing("+", with: "-").replacing("/", with: "_"), "\t \(receipt)\r\n ",
        ] { #expect(try sendable(damaged).base64 == Array(receipt.utf8)) }
    }

    @Test("A receipt whose last character, a plus, became a space is repaired")
    func plusAtTheEnd() throws {
        let receipts = (4...12).map { PayloadForge(opaque: Array(0..<$0)).signed() }
        let receipt = try #require(receipts.first { $0.count.isMultiple(of: 3) })
        // The last six bits of a signature are those of a plus once in 64 times.
        let whole = Array(receipt.dropLast()) + [0xFE]
        let text = base64(whole)
        try #require(text.last == "+")
        let stored = text.replacing("+", with: " ")
        #expect(try sendable(stored) == sendable(text))
        #expect(try sendable(text).base64 == Array(text.utf8))
        #expect(Array(try LocatedReceipt(Array(stored.utf8)).bytes) == whole)
    }

    @Test("A receipt in BER, of iOS 6 or with one readable attribute is sent, with its app if any")
    func forms() throws {
        let receipt = ReceiptForge.receipt(ReceiptForge.payload(), isBER: true)
        let info = base64(Array("{\n\"bid\" = \"acme\";\n}".utf8))
        let list = "{\n\t\"signature\" = \"QUJD\";\n\t\"pod\" = \"7\";\n\t\"purchase-info\" = \""
        // An attribute set that is wrapped twice, or three times, which is too much.
        let once = ReceiptForge.tlv(4, PayloadForge().encoded)
        for bytes in [receipt, Array("\(list)\(info)\";\n}".utf8), ReceiptForge.receipt(once)] {
            #expect(try sendable(base64(bytes)).bundle == "acme")
        }
        for payload in [
            ReceiptForge.payload(bundle: nil, environment: nil),
            ReceiptForge.payload(bundle: nil) + [0x31, 0x7F],
        ] { #expect(try sendable(base64(ReceiptForge.receipt(payload))).bundle == nil) }
        for payload in [[], [0x31, 0x7F], ReceiptForge.tlv(4, once)] {
            let local = LocalReceipt(ReceiptData(base64(ReceiptForge.receipt(payload))))
            #expect(local == .unusable(.notAReceipt))
        }
    }

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

    @Test(
        "Dates are read in RFC 3339, also with the UTC offsets of Xcode",
        arguments: [
            (text: "2020-07-22T18:33:15+0100", utc: "2020-07-22T17:33:15Z"),
            ("2020-07-22T18:33:15-0230", "2020-07-22T21:03:15Z"),
            ("2020", nil), ("", nil),
        ] as [(text: String, utc: String?)])
    func dates(text: String, utc: String?) throws {
        let payload = try ReceiptPayload(PayloadForge(createdAt: text).encoded[...])
        #expect(payload.createdAt?.description == utc)
    }
}
