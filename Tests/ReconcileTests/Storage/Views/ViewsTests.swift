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

    /// What the team did wrong. To add a case, copy one of its kind.
    enum Mistake: Sendable {
        /// The view has this one column.
        case column(String, of: String)
        /// SQL about the tables while no views exist.
        case tables(String)
        /// SQL that adds rows.
        case rows(String)
        /// A table has an id twice, in this column.
        case repeated(String, of: String)
    }

    private static let columns: [(Mistake, problem: String)] = [
        (
            .column("'a'::text as receipt_id", of: "stored_receipts"),
            "lacks the column user_id (text)."
        ),
        (
            .column("gen_random_uuid() as receipt_id", of: "stored_receipts"),
            "receipt_id is uuid, not text: write receipt_id::text in the view."
        ),
        (
            .column("''::bytea as receipt_data", of: "stored_receipts"),
            "receipt_data is bytea, not text: write encode(receipt_data, 'base64')"
        ),
        (
            .column("localtimestamp as stored_at", of: "stored_receipts"),
            "write stored_at at time zone 'UTC'"
        ),
        (
            .column("1::bigint as stored_at", of: "stored_receipts"),
            """
            write to_timestamp(stored_at), \
            or to_timestamp(stored_at / 1000.0) where it is in milliseconds, in the view.
            """
        ),
        (
            .column("1::smallint as is_active", of: "stored_entitlements"),
            "is_active is smallint, not boolean: write is_active <> 0 in the view."
        ),
        (
            .column("1.5::float8 as list_price", of: "catalog_products"),
            "list_price is double precision, not numeric: write list_price::numeric"
        ),
    ]

    private static let collations: [(Mistake, problem: String)] = [
        (
            .tables(
                """
                create collation team.any_case (
                    provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                alter table team.receipts alter who type text collate team.any_case;
                alter table team.entitlements alter who type text collate team.any_case
                """), #"treats different spellings as one user: write user_id collate "C""#
        ),
        (
            .tables(#"alter table team.receipts alter who type text collate "C""#),
            "have different collations: write user_id collate"
        ),
    ]

    private static let rows: [(Mistake, problem: String)] = [
        (
            .rows("insert into team.products (id, kind) values ('a', 'gift')"),
            "products: the product “a” is of the unknown kind “gift”"
        ),
        (
            .rows("insert into team.products (id) values ('a')"),
            "products: the product “a” has no kind."
        ),
        (
            .rows("insert into team.products (kind) values ('consumable')"),
            "products has a row without product_id."
        ),
        (
            .rows("insert into team.apps (paid) values ('1.0')"),
            "apps has a row without bundle_id."
        ),
        (
            .rows(
                "insert into team.products (id, kind, price) values ('a', 'consumable', 'NaN')"),
            "products: a duration or the price of “a” is not finite."
        ),
        (
            .rows(
                """
                create or replace view reconcile.catalog_apps as
                select bundle as bundle_id,
                    (1 / (length(bundle) - 1))::text as last_paid_version, until as paid_until,
                    premium as premium_product_id from team.apps;
                insert into team.apps (bundle) values ('x')
                """),
            "apps.last_paid_version could not be read (list_apps, SQLSTATE 22012: division"
        ),
        (
            .rows(
                """
                create or replace view reconcile.catalog_products as
                select bundle as product_id, 'non_renewing'::text as kind,
                    null::text as subscription_group_id, null::int as service_level,
                    id::interval as access_duration, null::interval as billing_period,
                    null::numeric as list_price, null::text as currency from team.receipts;
                insert into team.receipts (id, bundle) values ('1 month', 'a'), ('hunter2', 'b')
                """),
            """
            products.access_duration could not be read (list_products, SQLSTATE 22007: \
            invalid input syntax for type interval: ‹…›).
            """
        ),
    ]

    private static let repeated: [(Mistake, problem: String)] = [
        (
            .repeated("id", of: "receipts"),
            "reconcile.stored_receipts holds the receipt_id “two” more than once."
        ),
        (
            .repeated("id", of: "entitlements"),
            "stored_entitlements holds the entitlement_id “two” more than once."
        ),
        (
            .repeated("id", of: "products"),
            "reconcile.catalog_products holds the product_id “two” more than once."
        ),
        (
            .repeated("bundle", of: "apps"),
            "reconcile.catalog_apps holds the bundle_id “two” more than once."
        ),
    ]

    @Test(
        "A wrong view or row is refused with what to write instead, and without the row's values",
        arguments: columns + collations + rows + repeated)
    func refused(mistake: Mistake, problem: String) async throws {
        try await make(mistake)
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
        #expect(!error.description.contains("hunter2"))
        switch mistake {
        case .repeated: #expect(error.description.contains("Return one row for it."))
        case .rows: #expect(error.description.hasPrefix("reconcile.catalog_" + problem))
        case .column, .tables: break
        }
    }

    private func make(_ mistake: Mistake) async throws {
        switch mistake {
        case .column(let column, let view):
            let name = "view reconcile.\(view)"
            try await execute("drop \(name); create \(name) as select \(column)")
        case .tables(let sql):
            let views = ViewContract.all.map { "reconcile.\($0.name)" }.joined(separator: ", ")
            try await execute("drop view \(views); \(sql); " + TestDatabase.teamViews)
        case .rows(let sql): try await execute(sql)
        case .repeated(let column, let table):
            try await execute(
                """
                insert into team.\(table) (\(column))
                values ('x1'), ('two'), ('two'), (null), (null)
                """)
        }
    }
}
