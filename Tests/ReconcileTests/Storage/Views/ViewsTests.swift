import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The team's views")
struct ViewsTests: DatabaseSuite {
    @Test("The views of the contract are accepted, also over varchar and domains", .database)
    func accepted() async throws {
        #expect(try await database.views.check() == [])
        try await execute(
            """
            create domain team.name as text;
            drop view reconcile.catalog_apps;
            create view reconcile.catalog_apps as
            select bundle::varchar(50) as bundle_id, paid::team.name as last_paid_version,
                until as paid_until, premium as premium_product_id from team.apps;
            """)
        try await database.views.check()
    }

    @Test(
        "A wrong view is refused with the expression to write in it", .database,
        arguments: [
            "drop view reconcile.catalog_products":
                "The view reconcile.catalog_products is missing.",
            view("stored_receipts", "'a'::text as receipt_id"):
                "reconcile.stored_receipts lacks the column user_id (text).",
            view("stored_receipts", "gen_random_uuid() as receipt_id"):
                "receipt_id is uuid, not text: write receipt_id::text in the view.",
            view("stored_receipts", "1::bigint as user_id"):
                "user_id is bigint, not text: write user_id::text in the view.",
            view("stored_receipts", "''::bytea as receipt_data"):
                "receipt_data is bytea, not text: write encode(receipt_data, 'base64')",
            """
            create collation team.any_case
                (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
            alter table team.receipts alter who type text collate team.any_case;
            alter table team.entitlements alter who type text collate team.any_case
            """: "treats different spellings as one user: write user_id collate \"C\"",
            view("stored_receipts", "localtimestamp as stored_at"):
                "write stored_at at time zone 'UTC' in the view.",
            view("stored_receipts", "1::bigint as stored_at"): """
            write to_timestamp(stored_at), or to_timestamp(stored_at / 1000.0) where it is in \
            milliseconds, in the view.
            """,
            view("stored_entitlements", "1::smallint as is_active"):
                "is_active is smallint, not boolean: write is_active <> 0 in the view.",
            view("catalog_products", "1.5::float8 as list_price"):
                "list_price is double precision, not numeric: write list_price::numeric",
            "alter table team.receipts alter who type text collate \"C\"":
                "have different collations: write user_id collate",
            "insert into team.receipts (id) values ('x1'), ('twice'), ('twice'), (null), (null)":
                """
            reconcile.stored_receipts holds the receipt_id “twice” more than once. Return one \
            row for it.
            """,
            "insert into team.entitlements (id) values ('twice'), ('twice')":
                "reconcile.stored_entitlements holds the entitlement_id “twice” more than once.",
            "insert into team.products (id) values ('twice'), ('twice')":
                "reconcile.catalog_products holds the product_id “twice” more than once.",
            "insert into team.apps (bundle) values ('twice'), ('twice')":
                "reconcile.catalog_apps holds the bundle_id “twice” more than once.",
        ])
    func refused(change: String, problem: String) async throws {
        if change.contains("alter table") {
            let names = ViewContract.all.map { "reconcile." + $0.name }.joined(separator: ", ")
            try await execute("drop view \(names); \(change); " + TestDatabase.teamViews)
        } else {
            try await execute(change)
        }
        let error = try await databaseError { try await database.views.check() }
        let problems = error.problems
        let place = try #require(problems.firstIndex { $0.contains(problem) }, "\(error)")
        // The message names the first three; doctor names all.
        #expect(error.description.contains(problem) == (place < 3))
        #expect(error.description.contains("reconcile-job doctor") == (problems.count > 3))
        #expect(error.description.hasSuffix("the views in schema reconcile, then run again."))
    }

    private static func view(_ name: String, _ columns: String) -> String {
        "drop view reconcile.\(name); create view reconcile.\(name) as select \(columns)"
    }

    @Test("A team without paid apps and download keys needs no views for them", .database)
    func optional() async throws {
        try await execute("drop view reconcile.catalog_apps, reconcile.stored_download_keys")
        let missing = try await database.views.check()
        #expect(missing == ["catalog_apps", "stored_download_keys"])
        let lacking = database.lacking(missing)
        #expect(try await lacking.catalog.read().apps.isEmpty)
        #expect(try await lacking.catalog.downloadable().isEmpty)
        let error = try await databaseError { try await database.catalog.read() }
        #expect(error.description.contains("catalog_apps"))
    }

    @Test("A view whose owner may not read its tables is reported", .database)
    func ownerMayNot() async throws {
        let sql = """
            alter view reconcile.catalog_apps owner to GROUP;
            grant usage on schema reconcile to GROUP;
            """
        try await asLogin(sql) { _ in
            let error = try await databaseError { try await database.catalog.read() }
            let what = ["schema team", "table apps"].map { "permission denied for \($0)" }
            #expect(what.contains { error.reason == .accessDenied($0) })
        }
    }

    /// The tables of each are in schema public, with one receipt (`DATA`, in base64), one row and
    /// one product.
    @Test(
        "The example views have the right columns, and doctor finds no problem in their rows",
        .database(.ownTables),
        arguments: [
            "rails": """
            create table app_store_receipts (
                id bigint, user_id bigint, bundle_id varchar, receipt_data text,
                created_at timestamp);
            create table subscriptions (
                id bigint, user_id bigint, product_id varchar, original_transaction_id varchar,
                status varchar, expires_at timestamp, auto_renew boolean, platform varchar,
                updated_at timestamp);
            create table products (identifier varchar, kind varchar, group_name varchar, level int,
                period interval, price_cents int, currency varchar);
            insert into app_store_receipts values (1, 7, 'acme', 'DATA', '2026-11-18');
            insert into subscriptions values
                (1, 7, 'pro', '1', 'active', '2026-12-10', true, 'ios', '2026-11-10');
            insert into products values ('pro', 'auto_renewable', 'G', 1, '1 month', 999, 'usd');
            """,
            "django": """
            create table billing_receipt (
                id uuid, account_id uuid, bundle varchar, data bytea, created timestamptz);
            create table billing_entitlement (
                id uuid, account_id uuid, sku varchar, transaction_id varchar, is_active boolean,
                valid_until timestamptz, renews boolean, family_shared boolean, provider varchar,
                modified timestamptz);
            create table billing_product (sku varchar, type varchar, family varchar, rank int,
                months int, price numeric, currency varchar);
            insert into billing_receipt values (gen_random_uuid(), md5('u')::uuid, 'acme',
                decode('DATA', 'base64'), '2026-11-18');
            insert into billing_entitlement values (gen_random_uuid(), md5('u')::uuid, 'pro', '1',
                true, '2026-12-10', true, false, 'apple', '2026-11-10');
            insert into billing_product values ('pro', 'auto_renewable', 'G', 1, 1, 9.99, 'USD');
            """,
            "laravel": """
            create table receipts (id bigint, user_id bigint, payload jsonb, created_at timestamp);
            create table user_products (
                id bigint, user_id bigint, product varchar, original_transaction_id varchar,
                revoked_at timestamp, ends_at timestamp, store varchar, updated_at timestamp);
            create table products (
                code varchar, type varchar, days int, price numeric, currency varchar);
            insert into receipts values
                (1, 7, '{"bundle_id": "acme", "receipt-data": "DATA"}', '2026-11-18');
            insert into user_products values
                (1, 7, 'pro', '1', null, '2026-12-10', 'appstore', '2026-11-10');
            insert into products values ('pro', 'auto_renewable', 30, 9.99, 'USD');
            """,
        ])
    func examples(layout: String, tables: String) async throws {
        let path = SourceTree.root + "/packaging/views/\(layout).sql"
        let tables = tables.replacing("DATA", with: TestDatabase.receipt("r1"))
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

@Suite("The catalogue", .database)
struct CatalogReadingTests: DatabaseSuite {
    @Test("Products and apps are read with PostgreSQL's values")
    func reads() async throws {
        try await execute(
            """
            insert into team.products values
            ('pass', 'non_renewing', null, null, '1 year 2 months -3 days 26:00:01.25', null,
                null, null),
            ('life', 'non_consumable', null, null, null, null, 12345678901234567.89, 'JPY');
            insert into team.apps values
            ('app', null, '2020-01-01 00:00:00.5+00', null), ('free', null, 'infinity', null);
            """)
        let catalog = try await database.catalog.read()
        #expect(
            catalog.products["pass"]?.accessDuration
                == CalendarInterval(months: 14, days: -3, milliseconds: 93_601_250))
        #expect(catalog.products["life"]?.listPrice == "12345678901234567.89")
        #expect(catalog.apps["app"]?.paidUntil == Instant(milliseconds: 1_577_836_800_500))
        #expect(catalog.apps["free"]?.paidUntil == .distantFuture)
    }

    @Test(
        "An unreadable row or view of the catalogue is named, without the value",
        arguments: [
            "insert into team.products (id, kind) values ('gold', 'gift')":
                "“gold” is of the unknown kind “gift”",
            "insert into team.products (id) values ('gold')": "the product “gold” has no kind",
            "insert into team.products (kind) values ('consumable')":
                "has a row without product_id",
            "insert into team.apps (paid) values ('1.0')": "has a row without bundle_id",
            "insert into team.products (id, kind, price) values ('gold', 'consumable', 'NaN')":
                "the price of “gold” is not finite",
            """
            create or replace view reconcile.catalog_apps as
            select bundle as bundle_id, (1 / (length(bundle) - 1))::text as last_paid_version,
                until as paid_until, premium as premium_product_id from team.apps;
            insert into team.apps (bundle) values ('x');
            """: """
            reconcile.catalog_apps.last_paid_version could not be read (list_apps, SQLSTATE 22012
            """,
            """
            create table team.periods (product text, lasts text);
            insert into team.periods values ('a', '1 month'), ('b', 'hunter2');
            create or replace view reconcile.catalog_products as
            select product as product_id, 'non_renewing'::text as kind,
                null::text as subscription_group_id, null::int as service_level,
                lasts::interval as access_duration, null::interval as billing_period,
                null::numeric as list_price, null::text as currency from team.periods
            """: """
            reconcile.catalog_products.access_duration could not be read (list_products, \
            SQLSTATE 22007: invalid input syntax for type interval: ‹…›).
            """,
        ])
    func problems(change: String, problem: String) async throws {
        try await execute(change)
        let error = try await databaseError { try await database.catalog.read() }
        #expect(error.description.contains(problem))
        #expect(!error.description.contains("hunter2"))
    }
}
