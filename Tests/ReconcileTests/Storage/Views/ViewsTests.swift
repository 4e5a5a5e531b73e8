internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The team's views")
struct ViewsTests: DatabaseSuite {
    @Test("The views of the specification are accepted, also over varchar and domains", .database)
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
            (
                "drop view reconcile.catalog_products",
                "The view reconcile.catalog_products is missing."
            ),
            (
                receipts("'a'::text as receipt_id"),
                "reconcile.stored_receipts lacks the column user_id (text)."
            ),
            (
                receipts("gen_random_uuid() as receipt_id"),
                "receipt_id is uuid, not text: write receipt_id::text in the view."
            ),
            (
                receipts("1::bigint as user_id"),
                "user_id is bigint, not text: write user_id::text in the view."
            ),
            (
                receipts("''::bytea as receipt_data"),
                "receipt_data is bytea, not text: write encode(receipt_data, 'base64')"
            ),
            (
                """
                create collation team.any_case
                    (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                alter table team.receipts alter who type text collate team.any_case;
                alter table team.entitlements alter who type text collate team.any_case
                """,
                "treats different spellings as one user: write user_id collate \"C\""
            ),
            (
                receipts("localtimestamp as stored_at"),
                "write stored_at at time zone 'UTC' in the view."
            ),
            (
                receipts("1::bigint as stored_at"),
                "write to_timestamp(stored_at), or to_timestamp(stored_at / 1000.0) where it is in"
                    + " milliseconds, in the view."
            ),
            (
                view("stored_entitlements", "1::smallint as is_active"),
                "is_active is smallint, not boolean: write is_active <> 0 in the view."
            ),
            (
                view("catalog_products", "1.5::float8 as list_price"),
                "list_price is double precision, not numeric: write list_price::numeric"
            ),
            (
                "alter table team.receipts alter who type text collate \"C\"",
                "have different collations: write user_id collate"
            ),
            (
                """
                insert into team.receipts (id)
                values ('x1'), ('twice'), ('twice'), (null), (null)
                """,
                "reconcile.stored_receipts holds the receipt_id “twice” more than once. Return"
                    + " one row for it."
            ),
            twice("entitlements (id)", "stored_entitlements holds the entitlement_id"),
            twice("products (id)", "catalog_products holds the product_id"),
            twice("apps (bundle)", "catalog_apps holds the bundle_id"),
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
        #expect(
            error.description.hasSuffix("Correct the views in schema reconcile, then run again."))
    }

    @Test("All problems of the views are reported at once", .database(.ownTables))
    func together() async throws {
        // The other two views are optional.
        let error = try await databaseError { try await database.views.check() }
        #expect(error.problems.count == 3)
    }

    @Test("A team without paid apps and download keys needs no views for them", .database)
    func optional() async throws {
        try await execute(
            "drop view reconcile.catalog_apps; drop view reconcile.stored_download_keys")
        let missing = try await database.views.check()
        #expect(missing == ["catalog_apps", "stored_download_keys"])
        let lacking = database.lacking(missing)
        #expect(try await lacking.catalog.read().apps.isEmpty)
        #expect(try await lacking.catalog.downloadable().isEmpty)
        let error = try await databaseError { try await database.catalog.read() }
        #expect(error.description.contains("catalog_apps"))
    }

    @Test("A view whose owner may not read its tables is reported", .database)
    func beneath() async throws {
        let sql = """
            alter view reconcile.catalog_apps owner to GROUP;
            grant usage on schema reconcile to GROUP;
            """
        try await asLogin(sql) { _ in
            let error = try await databaseError { try await database.catalog.read() }
            #expect(
                error.reason == .accessDenied("permission denied for schema team")
                    || error.reason == .accessDenied("permission denied for table apps"))
        }
    }

    private static func view(_ name: String, _ columns: String) -> String {
        "drop view reconcile.\(name); create view reconcile.\(name) as select \(columns)"
    }

    private static func twice(_ columns: String, _ holds: String) -> (String, String) {
        (
            "insert into team.\(columns) values ('twice'), ('twice')",
            "reconcile.\(holds) “twice” more than once."
        )
    }

    private static func receipts(_ columns: String) -> String { view("stored_receipts", columns) }
}

@Suite("The catalogue", .database)
struct CatalogReadingTests: DatabaseSuite {
    @Test("Products and apps are read with PostgreSQL's values")
    func reads() async throws {
        try await execute(
            """
            insert into team.products values
            ('gold', 'auto_renewable', 'club', 1, null, '1 month', 9.90, 'USD'),
            ('pass', 'non_renewing', null, null, '1 year 2 months -3 days 26:00:01.25', null,
                null, null),
            ('life', 'non_consumable', null, null, null, null, 12345678901234567.89, 'JPY');
            insert into team.apps values
            ('app', '1.10', '2020-01-01 00:00:00.5+00', 'life'), ('free', null, 'infinity', null);
            """)
        let catalog = try await database.catalog.read()
        #expect(
            catalog.products["gold"]
                == CatalogProduct(
                    id: "gold", kind: .autoRenewable, group: "club", serviceLevel: 1,
                    billingPeriod: CalendarInterval(months: 1), listPrice: "9.90",
                    currency: "USD"))
        #expect(
            catalog.products["pass"]?.accessDuration
                == CalendarInterval(months: 14, days: -3, milliseconds: 93_601_250))
        #expect(catalog.products["life"]?.listPrice == "12345678901234567.89")
        #expect(
            catalog.apps["app"]
                == CatalogApp(
                    bundle: "app", lastPaidVersion: "1.10",
                    paidUntil: Instant(milliseconds: 1_577_836_800_500), premiumProduct: "life"))
        #expect(catalog.apps["free"]?.paidUntil == .distantFuture)
    }

    @Test(
        "An unreadable row of the catalogue is named",
        arguments: [
            ("products (id, kind) values ('gold', 'gift')", "“gold” is of the unknown kind “gift”"),
            ("products (id) values ('gold')", "the product “gold” has no kind"),
            ("products (kind) values ('consumable')", "has a row without product_id"),
            ("apps (paid) values ('1.0')", "has a row without bundle_id"),
            (
                "products (id, kind, price) values ('gold', 'consumable', 'NaN')",
                "the price of “gold” is not finite"
            ),
        ])
    func problems(row: String, problem: String) async throws {
        try await execute("insert into team." + row)
        let error = try await databaseError { try await database.catalog.read() }
        #expect(error.description.contains(problem))
    }

    @Test(
        "A view that fails while it is read is named with its column, without the value",
        arguments: [
            (
                """
                create or replace view reconcile.catalog_apps as
                select bundle as bundle_id, (1 / (length(bundle) - 1))::text as last_paid_version,
                    until as paid_until, premium as premium_product_id from team.apps;
                insert into team.apps (bundle) values ('x');
                """,
                "reconcile.catalog_apps.last_paid_version could not be read (list_apps,"
                    + " SQLSTATE 22012"
            ),
            (
                """
                create table team.periods (product text, lasts text);
                insert into team.periods values ('a', '1 month'), ('b', 'hunter2');
                create or replace view reconcile.catalog_products as
                select product as product_id, 'non_renewing'::text as kind,
                    null::text as subscription_group_id, null::int as service_level,
                    lasts::interval as access_duration, null::interval as billing_period,
                    null::numeric as list_price, null::text as currency from team.periods
                """,
                "reconcile.catalog_products.access_duration could not be read (list_products,"
                    + " SQLSTATE 22007: invalid input syntax for type interval: ‹…›)."
            ),
        ])
    func failing(view: String, message: String) async throws {
        try await execute(view)
        let error = try await databaseError { try await database.catalog.read() }
        #expect(error.description.hasPrefix(message))
    }
}
