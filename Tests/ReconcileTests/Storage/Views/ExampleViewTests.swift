import Foundation
import SQL
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a file of views in `packaging`, and in `rows` one row of each of its tables.
@Suite("The example views", .database(.ownTables))
struct ExampleViewTests: DatabaseSuite {
    private static let receipt = TestDatabase.receipt("r1")

    /// One receipt, one row and one product of each layout.
    private static let rows = [
        "rails": """
        insert into app_store_receipts values (1, 7, 'acme', '\(receipt)', '2026-11-18');
        insert into subscriptions
        values (1, 7, 'pro', '1', 'active', '2026-12-10', true, 'ios', '2026-11-10');
        insert into products values
            ('pro', 'auto_renewable', 'G', 1, '1 month', 999, 'usd'),
            ('pro.yen', 'auto_renewable', 'G', 1, '1 month', 1500, 'jpy');
        """,
        "django": """
        insert into billing_receipt values (
            md5('r')::uuid, md5('u')::uuid, 'acme', decode('\(receipt)', 'base64'), '2026-11-18');
        insert into billing_entitlement values (md5('e')::uuid, md5('u')::uuid, 'pro', '1', true,
            '2026-12-10', true, false, 'apple', '2026-11-10');
        insert into billing_product values ('pro', 'auto_renewable', 'G', 1, 1, 9.99, 'USD');
        """,
        "laravel": """
        insert into receipts
        values (1, 7, '{"bundle_id": "acme", "receipt-data": "\(receipt)"}', '2026-11-18');
        insert into user_products
        values (1, 7, 'pro', '1', null, '2026-12-10', 'appstore', '2026-11-10');
        insert into products values ('pro', 'auto_renewable', 30, 9.99, 'USD');
        """,
    ]

    @Test("doctor finds no problem in the example views and their rows", arguments: rows)
    func examples(layout: String, rows: String) async throws {
        let views = try SourceTree.file(at: "packaging/views/\(layout).sql").text
        // Each file begins with the tables that it is for.
        let tables = views.matches(of: #/(?m)^--   (\w+) +(\([^)]+\))/#).map { table in
            // The columns may go on in further lines of the comment.
            "create table \(table.1) \(table.2.replacing("--", with: ""));"
        }
        try await execute("set search_path = public; set timezone = UTC;" + tables.joined() + rows)
        try await execute(views)
        let lines = await ViewsDoctor(database).diagnoses()
        #expect(lines.filter { $0.health != .ok } == [], "\(lines)")
        #expect(lines.contains { $0.name == "sources" && $0.detail == "\"app_store\" 1" })
        let product = try await database.catalog.read().products["pro"]
        #expect(product?.listPrice.flatMap(Double.init) == 9.99)
        if layout == "rails" {
            // A yen has no cents, so the whole number is the price.
            let yen = try await database.catalog.read().products["pro.yen"]
            #expect(yen?.listPrice.flatMap(Double.init) == 1_500)
        }
        #expect(product?.currency == "USD")
        #expect(product?.billingPeriod != nil)
        let dates = "select stored_at at time zone 'UTC' from reconcile.stored_receipts"
        #expect(try await texts(dates) == ["2026-11-18 00:00:00"])
    }
}
