import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// A layout that `packaging/views` has views for.
struct ExampleLayout: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Its tables, with one receipt (`DATA`, in base64), one row and one product.
    let sql: String
}

/// The tables are in schema public, in a database for each case.
@Suite("The example views")
struct ExampleViewsTests: DatabaseSuite {
    private static let layouts = [
        ExampleLayout(
            testDescription: "rails",
            sql: """
                create table app_store_receipts (id bigint, user_id bigint, bundle_id varchar,
                    receipt_data text, created_at timestamp);
                create table subscriptions (id bigint, user_id bigint, product_id varchar,
                    original_transaction_id varchar, status varchar, expires_at timestamp,
                    auto_renew boolean, platform varchar, updated_at timestamp);
                create table products (identifier varchar, kind varchar, group_name varchar,
                    level int, period interval, price_cents int, currency varchar);
                insert into app_store_receipts values (1, 7, 'acme', 'DATA', '2026-11-18');
                insert into subscriptions values
                    (1, 7, 'pro', '1', 'active', '2026-12-10', true, 'ios', '2026-11-10');
                insert into products values
                    ('pro', 'auto_renewable', 'G', 1, '1 month', 999, 'usd');
                """),
        ExampleLayout(
            testDescription: "django",
            sql: """
                create table billing_receipt (id uuid, account_id uuid, bundle varchar, data bytea,
                    created timestamptz);
                create table billing_entitlement (id uuid, account_id uuid, sku varchar,
                    transaction_id varchar, is_active boolean, valid_until timestamptz,
                    renews boolean, family_shared boolean, provider varchar, modified timestamptz);
                create table billing_product (sku varchar, type varchar, family varchar, rank int,
                    months int, price numeric, currency varchar);
                insert into billing_receipt values (gen_random_uuid(),
                    '00000000-0000-0000-0000-000000000007', 'acme', decode('DATA', 'base64'),
                    '2026-11-18');
                insert into billing_entitlement values (gen_random_uuid(),
                    '00000000-0000-0000-0000-000000000007', 'pro', '1', true, '2026-12-10', true,
                    false, 'apple', '2026-11-10');
                insert into billing_product values
                    ('pro', 'auto_renewable', 'G', 1, 1, 9.99, 'USD');
                """),
        ExampleLayout(
            testDescription: "laravel",
            sql: """
                create table receipts (id bigint, user_id bigint, payload jsonb,
                    created_at timestamp);
                create table user_products (id bigint, user_id bigint, product varchar,
                    original_transaction_id varchar, revoked_at timestamp, ends_at timestamp,
                    store varchar, updated_at timestamp);
                create table products (code varchar, type varchar, days int, price numeric,
                    currency varchar);
                insert into receipts values
                    (1, 7, '{"bundle_id": "acme", "receipt-data": "DATA"}', '2026-11-18');
                insert into user_products values
                    (1, 7, 'pro', '1', null, '2026-12-10', 'appstore', '2026-11-10');
                insert into products values ('pro', 'auto_renewable', 30, 9.99, 'USD');
                """),
    ]

    @Test(
        "The example views have the right columns, and doctor finds no problem in their rows",
        .database(.ownTables), arguments: layouts)
    func views(layout: ExampleLayout) async throws {
        let path = SourceTree.root + "/packaging/views/\(layout.testDescription).sql"
        let tables = layout.sql.replacing("DATA", with: TestDatabase.receipt("r1"))
        try await execute("set search_path = public; set timezone = 'UTC';" + tables)
        try await execute(try String(contentsOfFile: path, encoding: .utf8))
        let lines = await ViewsDoctor(database).look()
        #expect(lines.filter { $0.verdict != .ok } == [], "\(lines)")
        #expect(lines.contains { $0.name == "sources" && $0.detail == "\"app_store\" 1" })
        let product = try await database.catalog.read().products["pro"]
        #expect(product?.listPrice.flatMap(Double.init) == 9.99)
        #expect(product?.currency == "USD" && product?.billingPeriod != nil)
        let dates = "select stored_at at time zone 'UTC' from reconcile.stored_receipts"
        #expect(try await texts(dates) == ["2026-11-18 00:00:00"])
    }
}
