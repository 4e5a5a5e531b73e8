import Testing

@testable import Reconcile

@Suite("Inspections of real receipts", .enabled(if: Corpus.isAtHand, "RECONCILE_CORPUS is not set"))
struct CorpusInspectionTests {
    private typealias Row = Corpus.Expectation

    private func inspect(_ row: Row) throws -> Inspection {
        try Inspection(try Corpus.bytes(of: row.file), InspectionQuestion())
    }

    private static func receipts(_ ending: String) throws -> [Row] {
        try Corpus.expectations().filter { $0.kind == "receipt" && $0.file.hasSuffix(ending) }
    }

    @Test("The inspection agrees with the expert's values: signer, app, and every purchase")
    func agree() throws {
        let items = Dictionary(
            grouping: try Corpus.expectations().filter { $0.kind == "receipt-item" }, by: \.file)
        let receipts = try Self.receipts(".der")
        #expect(receipts.count >= 102)
        for row in receipts {
            let name = row.file
            guard row["signature_ok"] == "True" else {
                #expect(throws: NotAReceipt.self) { try inspect(row) }
                continue
            }
            let inspection = try inspect(row)
            let isApples = row["chain"] == "AppleRootCA" && row["chain_at_creation"] == "True"
            #expect(inspection.isGenuine == isApples, "\(name)")
            #expect(Self.summary(inspection) == Self.summary(row), "\(name)")
            let purchases = inspection.payload?.purchases.map(Self.summary).sorted()
            #expect(purchases == (items[name] ?? []).map(Self.summary(item:)).sorted(), "\(name)")
        }
    }

    /// All but one of the files are complete. Version 3 leads to Apple's root; for version 2 an
    /// intermediate certificate is missing.
    @Test("Real iOS 6 receipts are signed as well")
    func iOS6() throws {
        let lists = try Self.receipts(".plist")
        #expect(lists.count >= 11)
        for row in lists {
            // Its last brace is cut off, as its name says.
            guard !row.file.contains("json_invalid") else { continue }
            let inspection = try inspect(row)
            #expect(inspection.failedStep == nil, "\(row.file)")
            #expect(inspection.isGenuine == row["note"].contains("version 3"))
            let bundle = inspection.fields.first { $0.name == "bid" }?.value
            #expect(bundle == row["bundle_id"])
        }
    }

    private static func summary(_ inspection: Inspection) -> String {
        let payload = inspection.payload
        return [
            payload?.bundle, payload?.environment, payload?.applicationVersion,
            payload?.originalApplicationVersion, payload?.attributes.first(12)?.text,
            payload.map { String($0.purchases.count) },
        ].map { $0 ?? "" }.joined(separator: " ")
    }

    private static func summary(_ row: Row) -> String {
        [
            "bundle_id", "environment", "app_version", "original_app_version", "creation_date",
            "n_transactions",
        ].map { row[$0] }.joined(separator: " ")
    }

    private static func summary(_ purchase: InAppPurchase) -> String {
        [
            purchase.product?.text, purchase.transaction?.text, purchase.originalTransaction?.text,
            purchase.purchasedAt.map { String($0.milliseconds) },
            purchase.expiresAt.map { String($0.milliseconds) },
            purchase.cancelledAt.map { String($0.milliseconds) },
        ].map { $0 ?? "" }.joined(separator: " ")
    }

    private static func summary(item row: Row) -> String {
        [
            "product_id", "latest_transaction_id", "original_transaction_id",
            "last_purchase_date_ms", "last_expires_date_ms", "cancellation_date_ms",
        ].map { row[$0] }.joined(separator: " ")
    }
}
