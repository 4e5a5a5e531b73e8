import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// The tests of forged receipts and of requests show how forgeries and other data are judged.
@Suite("Offline reading of a stored receipt", .timeLimit(.minutes(10)))
struct OfflineReadingTests {
    private static let apple = ReceiptAuthority.shared

    static func report(_ bytes: [UInt8]) throws -> ValidationReport {
        let validator = try AppStoreValidator.quick(
            production: "", sandbox: "", secrets: "", roots: InspectionQuestion.testing.roots
        ) { $0.isOffline = true }
        let text = ReceiptData(text: Base64.encode(bytes))
        guard case .resolved(let report) = validator.precheck(text, storedFor: "acme") else {
            Issue.record("must be requested")
            throw CancellationError()
        }
        return report
    }

    private static func receipt(_ payload: PayloadForge) throws -> Receipt {
        let report = try report(apple.receipt(payload.encoded))
        guard case .verified(let receipt) = report.validation else {
            Issue.record("\(report.validation.words): \(report.attempts.detail ?? "")")
            throw CancellationError()
        }
        return receipt
    }

    private static func instant(_ text: String) throws -> Instant {
        try #require(Instant(rfc3339: text))
    }

    @Test("A receipt proves nothing after its own expiration date, which VPP receipts have")
    func expired() throws {
        for (day, isProof) in [("2026-11-20T01:59:59Z", false), ("2026-11-21T00:00:00Z", true)] {
            var payload = PayloadForge()
            payload.others = PayloadForge.attribute(21, PayloadForge.date(day))
            let report = try Self.report(Self.apple.receipt(payload.encoded))
            #expect(report.validation.isVerified == isProof)
            #expect(
                report.attempts.detail
                    == (isProof ? nil : "judged offline: the receipt itself expired at \(day)"))
        }
    }

    @Test("A genuine receipt is verified, with every field that a receipt can have")
    func verified() throws {
        var payload = PayloadForge()
        payload.others =
            PayloadForge.attribute(18, PayloadForge.date("2020-01-02T03:04:05Z"))
            + PayloadForge.attribute(19, ReceiptForge.text("4.2"))
        payload.purchases = [
            PayloadForge.purchase([
                1_702: "pro.monthly", 1_703: "1002", 1_704: "2024-05-01T00:00:00Z", 1_705: "1001",
                1_708: "2024-06-01T00:00:00Z", 1_712: "2024-05-03T00:00:00Z", 1_713: "1",
                1_719: "0", 1_721: "autumn",
            ]),
            // Empty dates are none, and a purchase without a chain is its own.
            PayloadForge.purchase([
                1_702: "unlock", 1_703: "7", 1_704: "2024-05-01T00:00:00Z", 1_705: "",
                1_708: "", 1_712: "",
            ]),
        ]
        let bought = try Self.instant("2024-05-01T00:00:00Z")
        var transaction = Transaction(
            id: "1002", originalID: "1001", product: "pro.monthly", purchasedAt: bought)
        transaction.expiresAt = try Self.instant("2024-06-01T00:00:00Z")
        transaction.cancelledAt = try Self.instant("2024-05-03T00:00:00Z")
        transaction.isTrial = true
        transaction.promotionalOffer = "autumn"
        let made = try Self.instant("2024-05-06T07:08:09Z")
        let expected = Receipt(
            bundle: "acme", environment: .production, createdAt: made, requestedAt: made,
            originalApplicationVersion: "4.2",
            originalPurchaseAt: try Self.instant("2020-01-02T03:04:05Z"),
            transactions: [
                transaction,
                Transaction(id: "7", originalID: "7", product: "unlock", purchasedAt: bought),
            ])
        #expect(try Self.receipt(payload) == expected)
    }

    @Test("A receipt is from production or from the sandbox")
    func environments() throws {
        for (name, environment) in [
            ("Production", .production), ("ProductionVPP", .production),
            ("ProductionSandbox", .sandbox), ("ProductionVPPSandbox", .sandbox),
        ] as [(String, StoreEnvironment)] {
            #expect(try Self.receipt(PayloadForge(environment: name)).environment == environment)
        }
    }

    private static let unlock = PayloadForge.purchase("unlock", id: "77", expires: "", kind: 0)

    @Test(
        "A malformed purchase is set aside, as an id with two contents is, and the others are kept",
        arguments: [
            (PayloadForge.purchase(""), "product_id"),
            (PayloadForge.purchase(id: ""), "transaction_id"),
            (PayloadForge.purchase(at: ""), "purchase_date"),
            (PayloadForge.purchase(at: "today"), "purchase_date"),
            (PayloadForge.purchase(expires: "soon"), "expires_date"),
            (PayloadForge.purchase(cancelled: "2024-02-30T00:00:00Z"), "cancellation_date"),
            ([0x30, 0], "in_app"),
            (PayloadForge.purchase("other", id: "77"), "transaction_id twice"),
        ])
    func anomalies(purchase: [UInt8], key: String) throws {
        let good = PayloadForge.purchase("gems", id: "78")
        let receipt = try Self.receipt(
            PayloadForge(purchases: [Self.unlock, Self.unlock, good, purchase]))
        #expect(
            receipt.transactions.map(\.id) == (key.hasSuffix("twice") ? ["78"] : ["77", "78"]))
        #expect(receipt.anomalies.map(\.key) == [key])
    }

    @Test(
        "A receipt that only Apple could judge is unverified, with the cause",
        arguments: [
            (PayloadForge(createdAt: "").encoded, "it does not say when it was made"),
            (PayloadForge(environment: "Moon").encoded, "it names no app, or no environment"),
            (PayloadForge(bundle: "").encoded, "it names no app, or no environment"),
            ([2, 1, 1], "the signed content is not a set"), ([], "iOS 6 receipts are not judged"),
        ])
    func unproven(payload: [UInt8], why: String) throws {
        let iOS6 = Array(#"{ "signature" = "AA=="; "purchase-info" = "e30="; }"#.utf8)
        let report = try Self.report(payload.isEmpty ? iOS6 : Self.apple.receipt(payload))
        #expect(report.validation == .unverified(.offline))
        #expect(report.attempts.detail?.hasPrefix("judged offline: " + why) == true)
    }
}

@Suite("Upgrades inferred from an offline receipt")
struct InferredUpgradeTests {
    /// Purchases of one chain, each with its product, the dates of its purchase, its end and its
    /// cancellation in 2024, if any; the number of the one that was upgraded.
    ///
    /// A renewal is charged up to a day before its period begins; after an upgrade within that day
    /// the receipt has both, the renewal being the later of the two. It is cancelled when the other
    /// is bought.
    @Test(
        "A period counts as upgraded only where nothing else explains the purchases",
        arguments: textTriples(
            """
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
            """))
    func infers(title: String, purchases: String, upgraded: String) throws {
        let values = purchases.components(separatedBy: ", ").enumerated().map { number, words in
            let cells = words.components(separatedBy: " ") + ["", ""]
            return PayloadForge.purchase([
                1_702: cells[0], 1_703: "\(number + 1)", 1_704: Self.date(cells[1]), 1_705: "1",
                1_708: Self.date(cells[2]), 1_712: Self.date(cells[3]),
            ])
        }
        let payload = try ReceiptPayload(PayloadForge(purchases: values).encoded[...])
        let receipt = try #require(payload.receipt)
        #expect(receipt.transactions.count == values.count)
        let found = receipt.transactions.filter(\.isUpgraded).map(\.id.text)
        #expect(found.joined(separator: " ") == upgraded)
    }

    private static let ahead =
        "pro 05-01 06-01, max 05-31T12:00:00 12-31T12:00:00, pro 06-01 07-01"

    private static func date(_ text: String) -> String {
        text.isEmpty ? "" : "2024-\(text)\(text.contains("T") ? "" : "T00:00:00")Z"
    }
}

extension PayloadForge {
    /// The value of attribute 17 with these attributes: instants, texts, and digits for numbers.
    static func purchase(_ attributes: KeyValuePairs<Int, String>) -> [UInt8] {
        ReceiptForge.tlv(
            0x31,
            attributes.flatMap { type, text in
                switch type {
                case 1_704, 1_708, 1_712: attribute(type, date(text))
                case 1_713, 1_719: attribute(type, [2, 1, UInt8(text) ?? 0])
                default: attribute(type, ReceiptForge.text(text))
                }
            })
    }
}
