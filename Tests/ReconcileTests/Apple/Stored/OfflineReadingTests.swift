import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

func base64(_ bytes: [UInt8]) -> String { String(decoding: Base64.encode(bytes), as: UTF8.self) }

@Suite("Offline reading of a stored receipt", .timeLimit(.minutes(10)))
struct OfflineReadingTests {
    private static let unlock = PayloadForge.purchase("unlock", id: "77", expires: "", kind: 0)

    static func report(_ bytes: [UInt8]) throws -> ValidationReport {
        let reading = OfflineReading(AppleSignature(.testing), catalogued: nil, now: { .asOf })
        switch LocalReceipt(ReceiptData(base64(bytes))) {
        case .unusable(let why): return ValidationReport(.unusable(why))
        case .sendable(let receipt): return reading.report(on: receipt)
        }
    }

    private func receipt(_ payload: PayloadForge) throws -> Receipt {
        let report = try Self.report(payload.signed())
        #expect(report.attempts.detail == nil)
        guard case .verified(let receipt) = report.validation else { throw CancellationError() }
        return receipt
    }

    @Test("A receipt proves nothing after its own expiration date, which VPP receipts have")
    func expired() throws {
        for (day, isProof) in [("2026-11-20T01:59:59Z", false), ("2026-11-21T00:00:00Z", true)] {
            let end = PayloadForge.attribute(21, PayloadForge.date(day))
            let report = try Self.report(PayloadForge(others: end).signed())
            let detail = isProof ? nil : "judged offline: the receipt itself expired at \(day)"
            #expect(report.validation.isVerified == isProof && report.attempts.detail == detail)
        }
    }

    @Test("A genuine receipt is verified, with every field that a receipt can have")
    func verified() throws {
        let code = ReceiptForge.text("autumn")
        let first = PayloadForge.purchase(
            id: "1002", of: "1001", cancelled: "2024-05-03T00:00:00Z",
            with: [(1_713, [2, 1, 1]), (1_719, [2, 1, 0]), (1_721, code)])
        // Empty dates are none, and a purchase without a chain is its own.
        let second = PayloadForge.purchase("unlock", id: "7", of: "", expires: "")
        let others =
            PayloadForge.attribute(18, PayloadForge.date("2020-01-02T03:04:05Z"))
            + PayloadForge.attribute(19, ReceiptForge.text("4.2"))
        var receipt = try receipt(PayloadForge(purchases: [first, second], others: others))
        let dates = "1714521600000-1717200000000 cancelled 1714694400000"
        let words = "1002 of 1001: pro.monthly \(dates) trial offer autumn"
        #expect(receipt.words == [words, "7 of 7: unlock 1714521600000"])
        receipt.transactions = []
        let made = Instant(rfc3339: "2024-05-06T07:08:09Z")
        let expected = Receipt(
            bundle: "acme", environment: .production, createdAt: made, requestedAt: made,
            originalApplicationVersion: "4.2",
            originalPurchaseAt: Instant(rfc3339: "2020-01-02T03:04:05Z"))
        #expect(receipt == expected)
        for name in ["Production", "ProductionVPP", "ProductionSandbox", "ProductionVPPSandbox"] {
            let server = try self.receipt(PayloadForge(environment: name)).environment
            #expect(server == (name.hasSuffix("Sandbox") ? .sandbox : .production))
        }
    }

    @Test(
        "A malformed purchase is skipped, as is an id with two contents, and the others are read",
        arguments: [
            (PayloadForge.purchase(""), "product_id"),
            (PayloadForge.purchase(id: ""), "transaction_id"),
            (PayloadForge.purchase(at: ""), "purchase_date"),
            (PayloadForge.purchase(expires: "soon"), "expires_date"),
            (PayloadForge.purchase(cancelled: "2024-02-30T00:00:00Z"), "cancellation_date"),
            ([0x30, 0], "in_app"), ([0x31, 0x7F], "in_app"),
            (PayloadForge.purchase("other", id: "77"), "transaction_id twice"),
        ])
    func anomalies(purchase: [UInt8], key: String) throws {
        let good = PayloadForge.purchase("gems", id: "78")
        let purchases = [Self.unlock, Self.unlock, good, purchase]
        let receipt = try receipt(PayloadForge(purchases: purchases))
        let kept: [TransactionID] = key.hasSuffix("twice") ? ["78"] : ["77", "78"]
        #expect(receipt.transactions.map(\.id) == kept && receipt.anomalies.map(\.key) == [key])
    }

    @Test(
        "A receipt that only Apple could judge is unverified, with the cause",
        arguments: [
            (PayloadForge(createdAt: "").encoded, "it does not say when it was made"),
            (PayloadForge(environment: "Moon").encoded, "it names no app, or no environment"),
            (PayloadForge(bundle: "").encoded, "it names no app, or no environment"),
            (
                ReceiptForge.tlv(
                    0x31, PayloadForge.attribute(2, ReceiptForge.text("acme")) + [0x30, 0x7F]),
                "the signed content is not a set"
            ),
            ([], "iOS 6 receipts are not judged"),
        ])
    func unproven(payload: [UInt8], why: String) throws {
        let iOS6 = Array(#"{ "signature" = "AA=="; "purchase-info" = "e30="; }"#.utf8)
        let bytes = payload.isEmpty ? iOS6 : ReceiptAuthority.shared.receipt(payload)
        let report = try Self.report(bytes)
        #expect(report.validation == .unverified(.offline))
        #expect(report.attempts.detail?.hasPrefix("judged offline: " + why) == true)
    }

    /// The purchases of one chain, each with its product and the dates of its purchase, its end and
    /// its cancellation in 2024; the number of the one that was upgraded. A renewal is charged up
    /// to a day before its period begins, so that it may be later than the upgrade that cancels it.
    @Test(
        "A period counts as upgraded only where nothing else explains the purchases",
        arguments: """
            another bought within it  | pro 05-01 06-01, max 05-20 06-20 | 1
            cancelled at that moment  | pro 05-01 06-01 05-31T12:00:30, max 05-31T12:00:00 06-20 | 1
            followed by the other, charged early | pro 05-01 06-01, max 05-31T12:00:00 06-20 |
            refunded long before the other | pro 05-01 06-01 05-03, max 07-01 08-01 |
            the same product          | pro 05-01 06-01, pro 05-20 06-20 |
            the other bought before it | pro 05-01 06-01, max 04-20 06-20 | 2
            the other no subscription | pro 05-01 06-01, max 05-20 |
            charged ahead, and replaced before it began | \(ahead) | 3
            the same, cancelled when the other was bought | \(ahead) 05-31T12:00:02 | 3
            the same, downgrading     | \(ahead.replacing("pro 06", with: "lite 06")) | 3
            not beginning where another ended | \(ahead.replacing("01 06-01", with: "01 05-20")) | 2
            """.triples)
    func infersUpgrade(title: String, purchases: String, upgraded: String) throws {
        let values = purchases.components(separatedBy: ", ").enumerated().map { number, words in
            let cells = words.components(separatedBy: " ") + ["", ""]
            let dates = cells.map {
                $0.isEmpty ? "" : "2024-\($0)\($0.count > 5 ? "" : "T00:00:00")Z"
            }
            return PayloadForge.purchase(
                cells[0], id: "\(number + 1)", of: "1", at: dates[1], expires: dates[2],
                cancelled: dates[3])
        }
        let transactions = try receipt(PayloadForge(purchases: values)).transactions
        #expect(transactions.count == values.count)
        let found = transactions.filter(\.isUpgraded).map(\.id.text)
        #expect(found.joined(separator: " ") == upgraded)
    }

    private static let ahead = "pro 05-01 06-01, max 05-31T12:00:00 12-31T12:00:00, pro 06-01 07-01"
}

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
        arguments: """
            2020-07-22T18:33:15+0100 | 2020-07-22T17:33:15Z
            2020-07-22T18:33:15-0230 | 2020-07-22T21:03:15Z
            2020 |
             |
            """.pairs)
    func dates(text: String, instant: String) throws {
        let payload = try ReceiptPayload(PayloadForge(createdAt: text).encoded[...])
        #expect(payload.createdAt?.description ?? "" == instant)
    }
}

extension PayloadForge {
    func signed(
        by authority: ReceiptAuthority = .shared, _ form: SignedForm = SignedForm()
    ) -> [UInt8] { authority.receipt(encoded, form) }
}
