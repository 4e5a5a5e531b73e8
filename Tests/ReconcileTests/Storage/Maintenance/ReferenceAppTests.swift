import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The reference service's schema", .database(.ownTables))
struct ReferenceAppTests: DatabaseSuite {
    @Test("The schema has the five views that a run reads, and may be created again")
    func views() async throws {
        let missing = try await databaseError { try await fill() }
        #expect(missing.reason == .notMigrated)
        try await database.referenceApp.create()
        try await database.referenceApp.create()
        try await database.views.check()
    }

    @Test("Filling the tables replaces all earlier rows, and keeps them when it fails")
    func isFilled() async throws {
        try await database.referenceApp.create()
        try await fill("a", "b")
        try await fill("user-0", "user-1")
        let catalog = try await database.catalog.read()
        #expect(catalog.products == Self.catalog.products && catalog.apps == Self.catalog.apps)
        #expect(try await texts("select receipt_data from app.receipts") == ["a\tb\\", "a\tb\\"])
        let sources = "select source from reconcile.stored_entitlements order by source"
        let both: [String?] = ["legacy_paid", "legacy_paid", "promotion", "promotion"]
        #expect(try await texts(sources) == both)
        // The same ids twice.
        let error = try await databaseError { try await fill("v", "v") }
        #expect(error.statement == "copy_reference_receipts")
        let users = "select user_id from app.receipts order by user_id"
        #expect(try await texts(users) == ["user-0", "user-1"])
    }

    @Test("The tables can be filled again even if other tables refer to them")
    func isReferredTo() async throws {
        try await database.referenceApp.create()
        try await execute(
            """
            create table app.notes (
                receipt_id text references app.receipts on delete cascade,
                product_id text references app.products
            )
            """)
        for user in ["u", "v"] as [UserID] {
            try await fill(user)
            try await execute("insert into app.notes (receipt_id) values ('\(user.text)')")
        }
        #expect(try await texts("select user_id from app.receipts") == ["v"])
        #expect(try await texts("select receipt_id from app.notes") == ["v"])
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
                """
                drop view reconcile.stored_entitlements;
                alter table app.entitlements alter column ownership type varchar(20)
                """, "app.entitlements.ownership is character varying(20), not text."
            ),
        ])
    func isNobodyElses(change: String, problem: String) async throws {
        try await database.referenceApp.create()
        try await fill("u")
        try await execute(change)
        let error = try await databaseError { try await fill() }
        #expect(error.reason == .sourceData([problem]))
        #expect(try await texts("select user_id from app.receipts") == ["u"])
    }

    private static let catalog = Catalog(
        products: [
            CatalogProduct(
                id: "m", kind: .autoRenewable, group: "g", serviceLevel: 1,
                billingPeriod: CalendarInterval(months: 1), listPrice: "9.90", currency: "EUR"),
            CatalogProduct(id: "p", kind: .nonRenewing, accessDuration: CalendarInterval(days: 30)),
        ],
        apps: [CatalogApp(bundle: "app", lastPaidVersion: "2", premiumProduct: "p")])

    /// With one part for each user.
    private func fill(_ users: UserID...) async throws {
        try await database.referenceApp.fill(Self.catalog) { part in
            part < users.count ? Self.rows(of: users[part]) : nil
        }
    }

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
