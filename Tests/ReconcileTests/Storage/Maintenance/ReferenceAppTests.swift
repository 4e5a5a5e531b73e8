import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The reference service's schema")
struct ReferenceAppTests {
    @Test("The schema has the five views that a run reads, and may be created again")
    func views() async throws {
        try await TestDatabase.connected(.ownTables) { _, database in
            try await database.referenceApp.create()
            try await database.referenceApp.create()
            try await database.views.check()
        }
    }

    @Test("Filling the tables replaces all earlier rows")
    func isFilled() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            try await database.referenceApp.create()
            for _ in 1...2 {
                try await database.referenceApp.fill(Self.catalog) { part in
                    part < 2 ? Self.rows(of: UserID("user-\(part)")) : nil
                }
            }
            let catalog = try await database.catalog.read()
            #expect(catalog.products == Self.catalog.products)
            #expect(catalog.apps == Self.catalog.apps)
            let stored = try await test.texts("select receipt_data from app.receipts")
            #expect(stored == ["a\tb\\", "a\tb\\"])
            let sources = try await test.texts(
                "select source from reconcile.stored_entitlements order by source")
            #expect(sources == ["legacy_paid", "legacy_paid", "promotion", "promotion"])
        }
    }

    @Test("The earlier rows are kept when filling fails")
    func isKept() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            try await database.referenceApp.create()
            try await database.referenceApp.fill(Self.catalog) {
                $0 == 0 ? Self.rows(of: "u") : nil
            }
            let error = try await databaseError {
                // The same ids twice.
                try await database.referenceApp.fill(Self.catalog) { _ in Self.rows(of: "v") }
            }
            #expect(error.statement == "copy_reference_receipts")
            #expect(try await test.texts("select user_id from app.receipts") == ["u"])
        }
    }

    @Test("The tables can be filled again even if other tables refer to them")
    func isReferredTo() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            try await database.referenceApp.create()
            try await test.execute(
                """
                create table app.notes (
                    receipt_id text references app.receipts on delete cascade,
                    product_id text references app.products
                )
                """)
            for user in ["u", "v"] as [UserID] {
                try await database.referenceApp.fill(Self.catalog) {
                    $0 == 0 ? Self.rows(of: user) : nil
                }
                try await test.execute("insert into app.notes (receipt_id) values ('\(user.text)')")
            }
            #expect(try await test.texts("select user_id from app.receipts") == ["v"])
            #expect(try await test.texts("select receipt_id from app.notes") == ["v"])
        }
    }

    @Test(
        "A schema of the same name that belongs to another owner is left unchanged",
        arguments: [
            (
                "alter table app.receipts add column note text",
                "app.receipts.note (text) is not the reference service's."
            ),
            (
                "drop view reconcile.catalog_apps; alter table app.apps drop column paid_until",
                "app.apps.paid_until (timestamp with time zone) is missing."
            ),
            (
                "alter table app.entitlements alter column ownership type varchar(20)",
                "app.entitlements.ownership is character varying(20), not text."
            ),
        ])
    func isNobodyElses(change: String, problem: String) async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            try await database.referenceApp.create()
            try await database.referenceApp.fill(Self.catalog) {
                $0 == 0 ? Self.rows(of: "u") : nil
            }
            if change.contains("varchar") {
                try await test.execute("drop view reconcile.stored_entitlements")
            }
            try await test.execute(change)
            let error = try await databaseError {
                try await database.referenceApp.fill(Self.catalog) { _ in nil }
            }
            #expect(error.reason == .sourceData([problem]))
            #expect(try await test.texts("select user_id from app.receipts") == ["u"])
        }
    }

    @Test("A missing schema is reported as missing")
    func isMissing() async throws {
        try await TestDatabase.connected(.ownTables) { _, database in
            let error = try await databaseError {
                try await database.referenceApp.fill(Self.catalog) { _ in nil }
            }
            #expect(error.reason == .notMigrated)
        }
    }

    private static let catalog = Catalog(
        products: [
            CatalogProduct(
                id: "m", kind: .autoRenewable, group: "g", serviceLevel: 1,
                billingPeriod: CalendarInterval(months: 1), listPrice: "9.90", currency: "EUR"),
            CatalogProduct(
                id: "p", kind: .nonRenewing, accessDuration: CalendarInterval(days: 30)),
        ],
        apps: [CatalogApp(bundle: "app", lastPaidVersion: "2", premiumProduct: "p")])

    private static func rows(of user: UserID) -> ReferenceRows {
        func row(_ id: String, _ source: EntitlementSource) -> StoredEntitlement {
            StoredEntitlement(
                id: EntitlementID(user.text + id), user: user, product: "m", isActive: true,
                source: source, updatedAt: Instant(milliseconds: 0))
        }
        return ReferenceRows(
            receipts: [
                StoredReceipt(
                    id: ReceiptID(user.text), user: user, bundle: "app",
                    data: ReceiptData("a\tb\\"), storedAt: Instant(milliseconds: 0))
            ],
            entitlements: [row("1", .other("promotion")), row("2", .legacyPaid)])
    }
}
