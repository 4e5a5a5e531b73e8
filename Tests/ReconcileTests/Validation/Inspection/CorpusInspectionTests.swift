import Foundation
import Testing

@testable import Reconcile

/// Receipts of real customers, which are not in this repository: RECONCILE_CORPUS is a folder with
/// `receipts/` and `EXPECT.csv`, an expert's reading of them.
@Suite(
    "Real receipts, inspected",
    .enabled(if: ProcessInfo.processInfo.environment["RECONCILE_CORPUS"] != nil))
struct CorpusInspectionTests {
    private typealias Row = [String: String]

    private let folder = ProcessInfo.processInfo.environment["RECONCILE_CORPUS"] ?? ""

    /// Rows by column, of RFC 4180.
    private func rows() throws -> [Row] {
        let text = try String(contentsOfFile: folder + "/EXPECT.csv", encoding: .utf8)
        var (lines, fields, field, isQuoted): ([[String]], [String], String, Bool) =
            ([], [], "", false)
        // CRLF is one Character.
        for character in text.replacing("\r\n", with: "\n") {
            switch (character, isQuoted) {
            case ("\"", _): isQuoted.toggle()
            case (",", false), ("\n", false):
                fields.append(field)
                field = ""
                if character == "\n" {
                    lines.append(fields)
                    fields = []
                }
            default: field.append(character)
            }
        }
        let header = lines.removeFirst()
        return lines.map { Dictionary(zip(header, $0), uniquingKeysWith: { first, _ in first }) }
    }

    private func inspect(_ row: Row) throws -> Inspection {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + (row["file"] ?? "")))
        return try Inspection(Array(data), InspectionQuestion())
    }

    @Test("agree with what an expert reads in them: who signed, for whom, and every purchase")
    func agree() throws {
        let rows = try rows()
        let items = Dictionary(
            grouping: rows.filter { $0["row"] == "receipt-item" }, by: { $0["file"] ?? "" })
        let receipts = rows.filter {
            $0["row"] == "receipt" && $0["file"]?.hasSuffix(".der") == true
        }
        #expect(receipts.count >= 102)
        for row in receipts {
            let name = row["file"] ?? ""
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

    /// All but one are whole. Version 3 leads to Apple's root; above version 2 an authority is
    /// missing.
    @Test("of iOS 6 are signed as well")
    func iOS6() throws {
        let lists = try rows().filter {
            $0["row"] == "receipt" && $0["file"]?.hasSuffix(".plist") == true
        }
        #expect(lists.count >= 11)
        for row in lists {
            // Its last brace is cut off, as its name says.
            guard row["file"]?.contains("json_invalid") == false else { continue }
            let inspection = try inspect(row)
            #expect(inspection.failedStep == nil, "\(row["file"] ?? "")")
            #expect(inspection.isGenuine == (row["note"]?.contains("version 3") == true))
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
        ].map { row[$0] ?? "" }.joined(separator: " ")
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
        ].map { row[$0] ?? "" }.joined(separator: " ")
    }
}
