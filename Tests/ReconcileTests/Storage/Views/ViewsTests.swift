import Foundation
import SQL
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The team's views", .database)
struct ViewsTests: DatabaseSuite {
    @Test("The views of the contract are accepted and read, also over varchar and domains")
    func accepted() async throws {
        #expect(try await database.views.check() == [])
        try await execute(
            """
            create domain team.name as text; drop view reconcile.catalog_apps;
            create view reconcile.catalog_apps as
            select bundle::varchar(50) as bundle_id, paid::team.name as last_paid_version,
                until as paid_until, premium as premium_product_id from team.apps;
            insert into team.products (id, kind, access, price, currency) values
            ('pass', 'non_renewing', '1 year 2 months -3 days 26:00:01.25', null, null),
            ('life', 'non_consumable', null, 12345678901234567.89, 'JPY');
            insert into team.apps (bundle, until) values
            ('app', '2020-01-01 00:00:00.5+00'), ('free', 'infinity');
            """)
        #expect(try await database.views.check() == [])
        let catalog = try await database.catalog.read()
        let year = CalendarInterval(months: 14, days: -3, milliseconds: 93_601_250)
        #expect(catalog.products["pass"]?.accessDuration == year)
        #expect(catalog.products["life"]?.listPrice == "12345678901234567.89")
        #expect(catalog.apps["app"]?.paidUntil == Instant(milliseconds: 1_577_836_800_500))
        #expect(catalog.apps["free"]?.paidUntil == .distantFuture)
    }

    /// Of a view its columns; else SQL for its tables or rows; else a table with an id twice.
    @Test(
        "A wrong view or row is refused with what to write instead, and without the row's values",
        arguments: """
            stored_receipts | 'a'::text as receipt_id | lacks the column user_id (text).
            stored_receipts | gen_random_uuid() as receipt_id | \
                receipt_id is uuid, not text: write receipt_id::text in the view.
            stored_receipts | ''::bytea as receipt_data | \
                receipt_data is bytea, not text: write encode(receipt_data, 'base64')
            stored_receipts | localtimestamp as stored_at | write stored_at at time zone 'UTC'
            stored_receipts | 1::bigint as stored_at | write to_timestamp(stored_at), \
            or to_timestamp(stored_at / 1000.0) where it is in milliseconds, in the view.
            stored_entitlements | 1::smallint as is_active | \
                is_active is smallint, not boolean: write is_active <> 0 in the view.
            catalog_products | 1.5::float8 as list_price | \
                list_price is double precision, not numeric: write list_price::numeric
            under | create collation team.any_case (provider = icu, locale = 'und-u-ks-level2', \
                deterministic = false); alter table team.receipts alter who type text collate \
                team.any_case; alter table team.entitlements alter who type text collate \
                team.any_case | treats different spellings as one user: write user_id collate "C"
            under | alter table team.receipts alter who type text collate "C" | \
                have different collations: write user_id collate
            rows | insert into team.products (id, kind) values ('a', 'gift') | \
                products: the product “a” is of the unknown kind “gift”
            rows | insert into team.products (id) values ('a') | \
                products: the product “a” has no kind.
            rows | insert into team.products (kind) values ('consumable') | \
                products has a row without product_id.
            rows | insert into team.apps (paid) values ('1.0') | apps has a row without bundle_id.
            rows | insert into team.products (id, kind, price) values ('a', 'consumable', 'NaN') | \
                products: a duration or the price of “a” is not finite.
            rows | create or replace view reconcile.catalog_apps as select bundle as bundle_id, \
                (1 / (length(bundle) - 1))::text as last_paid_version, until as paid_until, \
                premium as premium_product_id from team.apps; \
                insert into team.apps (bundle) values ('x') | \
                apps.last_paid_version could not be read (list_apps, SQLSTATE 22012: division
            rows | create or replace view reconcile.catalog_products as select \
                bundle as product_id, 'non_renewing'::text as kind, \
                null::text as subscription_group_id, null::int as service_level, \
                id::interval as access_duration, null::interval as billing_period, \
                null::numeric as list_price, null::text as currency from team.receipts; \
                insert into team.receipts (id, bundle) values ('1 month', 'a'), ('hunter2', 'b') | \
                products.access_duration could not be read (list_products, SQLSTATE 22007: \
            invalid input syntax for type interval: ‹…›).
            | receipts (id) | reconcile.stored_receipts holds the receipt_id “two” more than once.
            | entitlements (id) | stored_entitlements holds the entitlement_id “two” more than once.
            | products (id) | reconcile.catalog_products holds the product_id “two” more than once.
            | apps (bundle) | reconcile.catalog_apps holds the bundle_id “two” more than once.
            """.triples)
    func refused(view: String, sql: String, problem: String) async throws {
        let all = ViewContract.all.map { "reconcile.\($0.name)" }.joined(separator: ", ")
        let name = "view reconcile.\(view)"
        switch view {
        case "":
            let ids = "('x1'), ('two'), ('two'), (null), (null)"
            try await execute("insert into team.\(sql) values \(ids)")
        case "rows": try await execute(sql)
        case "under": try await execute("drop view \(all); \(sql); " + TestDatabase.teamViews)
        default: try await execute("drop \(name); create \(name) as select \(sql)")
        }
        let error = try await databaseError {
            _ = try await database.views.check()
            return try await database.catalog.read()
        }
        guard case .sourceData(let problems) = error.reason else { throw error }
        let index = try #require(problems.firstIndex { $0.contains(problem) }, "\(error)")
        // The message names the first three; doctor names all.
        #expect(error.description.contains(problem) == (index < 3))
        #expect(error.description.contains("reconcile-job doctor") == (problems.count > 3))
        #expect(error.description.hasSuffix("the views in schema reconcile, then run again."))
        #expect(!view.isEmpty || error.description.contains("Return one row for it."))
        #expect(!error.description.contains("hunter2"))
        if view == "rows" { #expect(error.description.hasPrefix("reconcile.catalog_" + problem)) }
    }
}

@Suite("The example views", .database(.ownTables))
struct ExampleViewTests: DatabaseSuite {
    /// One receipt (DATA is base64), one row and one product of each layout.
    private static let rows = [
        "rails": """
        insert into app_store_receipts values (1, 7, 'acme', 'DATA', '2026-11-18');
        insert into subscriptions
        values (1, 7, 'pro', '1', 'active', '2026-12-10', true, 'ios', '2026-11-10');
        insert into products values
            ('pro', 'auto_renewable', 'G', 1, '1 month', 999, 'usd'),
            ('pro.yen', 'auto_renewable', 'G', 1, '1 month', 1500, 'jpy');
        """,
        "django": """
        insert into billing_receipt
        values (md5('r')::uuid, md5('u')::uuid, 'acme', decode('DATA', 'base64'), '2026-11-18');
        insert into billing_entitlement values (md5('e')::uuid, md5('u')::uuid, 'pro', '1', true,
            '2026-12-10', true, false, 'apple', '2026-11-10');
        insert into billing_product values ('pro', 'auto_renewable', 'G', 1, 1, 9.99, 'USD');
        """,
        "laravel": """
        insert into receipts
        values (1, 7, '{"bundle_id": "acme", "receipt-data": "DATA"}', '2026-11-18');
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
            "create table \(table.1) \(table.2.replacing("--", with: ""));"
        }
        let data = rows.replacing("DATA", with: TestDatabase.receipt("r1"))
        try await execute("set search_path = public; set timezone = UTC;" + tables.joined() + data)
        try await execute(views)
        let lines = await ViewsDoctor(database).look()
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
