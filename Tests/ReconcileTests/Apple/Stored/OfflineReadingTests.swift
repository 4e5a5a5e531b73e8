import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

func base64(_ bytes: [UInt8]) -> String { String(decoding: Base64.encode(bytes), as: UTF8.self) }

/// To add a case: a row with a purchase of `PayloadForge` and the key that is malformed in it; or a
/// payload and why it is not proven without Apple.
@Suite("Offline reading of a stored receipt", .hangLimit)
struct OfflineReadingTests {
    private static let unlock = PayloadForge.purchase("unlock", id: "77", expires: "", kind: 0)

    static func report(_ bytes: [UInt8]) throws -> ValidationReport {
        let reading = OfflineReading(
            AppleSignature(.testing), JWSVerifier(JWSAuthority.shared.roots), catalogued: nil,
            now: { .asOf })
        switch LocalReceipt(ReceiptData(base64(bytes))) {
        case .unusable(let why): return ValidationReport(.unusable(why))
        case .sendable(let receipt): return reading.report(on: receipt)
        case .signed(let text): return reading.report(on: text, storedFor: "acme")
        case .transaction: return .notProven("it is an id")
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
            #expect(report.validation.isVerified == isProof, "\(day)")
            #expect(report.attempts.detail == detail, "\(day)")
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
        let may = Instant(milliseconds: 1_714_521_600_000)
        #expect(
            receipt.sorted.transactions == [
                Transaction(
                    id: "1002", originalID: "1001", product: "pro.monthly", purchasedAt: may,
                    expiresAt: Instant(rfc3339: "2024-06-01T00:00:00Z"),
                    cancelledAt: Instant(rfc3339: "2024-05-03T00:00:00Z"), isTrial: true,
                    promotionalOffer: "autumn"),
                Transaction(id: "7", originalID: "7", product: "unlock", purchasedAt: may),
            ])
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
            (purchase: PayloadForge.purchase(""), key: "product_id"),
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
        #expect(receipt.transactions.map(\.id) == kept)
        #expect(receipt.anomalies.map(\.key) == [key])
    }

    @Test(
        "A receipt that only Apple could judge is unverified, with the cause",
        arguments: [
            (payload: PayloadForge(createdAt: "").encoded, why: "it does not say when it was made"),
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
}

extension PayloadForge {
    func signed(
        by authority: ReceiptAuthority = .shared, _ form: SignedForm = SignedForm()
    ) -> [UInt8] { authority.receipt(encoded, form) }
}
