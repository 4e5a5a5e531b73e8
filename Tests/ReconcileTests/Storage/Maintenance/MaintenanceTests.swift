internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Migrations and the role of the job", .database(.nothing))
struct MigrationTests: DatabaseSuite {
    @Test("Each migration is applied once, by one or several processes", arguments: 1...12)
    func once(round: Int) async throws {
        if round % 2 == 0 { try await execute("create schema reconcile") }
        #expect(try await reason { try await database.schema.check() } == .notMigrated)
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<3 { group.addTask { try await connect().schema.migrate() } }
            return try await group.reduce([], +)
        }
        let names = [
            "0001_create_runs", "0002_create_ledger", "0003_create_sightings",
            "0004_create_refund_sweeps", "0005_create_units", "0006_create_sign_offs",
            "0007_read_ledger_changes",
        ]
        #expect(applied.sorted() == names)
        #expect(try await database.schema.migrate() == [])
        try await database.schema.check()
    }

    @Test("A migration is whole, and refused during a run or after another release changed it")
    func refused() async throws {
        try await execute("create schema reconcile; create view reconcile.run as select 1")
        let failure = try await reason(database.schema.migrate)
        #expect(failure == .rejected(sqlState: "42P07", message: nil))
        #expect(try await texts("select to_regclass('reconcile.migration')::text") == [nil])
        try await execute("drop view reconcile.run")
        _ = try await database.schema.migrate()
        try await execute("delete from reconcile.migration where version >= 3")
        try await connect().workers.lock()
        let error = try await databaseError(database.schema.migrate).description
        #expect(error.contains(/^Another run is in progress: .*Wait for it to end, or stop it.$/))
        try await execute("update reconcile.migration set sha256 = sha256('other')")
        let changed = DatabaseError.Reason.migrationChanged(migration: "0001_create_runs")
        #expect(try await reason(database.schema.migrate) == changed)
        #expect(try await reason(database.schema.check) == changed)
    }

    /// Serialized, since a role belongs to all databases of the server.
    @Test(
        "The role may write to the job's own tables, read the views, and do nothing else",
        .serialized, arguments: ["before", "after", "between"])
    func privileges(when: String) async throws {
        if when == "before" { try await execute(SQL.roles.text) }
        _ = try await database.schema.migrate()
        if when == "between" { try await execute(SQL.roles.text) }
        try await execute(TestDatabase.teamTables + TestDatabase.teamViews)
        if when == "after" { try await execute(SQL.roles.text + SQL.roles.text) }
        func relations(_ privileges: String) async throws -> Set<String?> {
            let sql = """
                select oid::regclass::text from pg_class
                where relkind in ('r', 'v')
                    and relnamespace::regnamespace::text in ('reconcile', 'team')
                    and has_table_privilege('reconcile_job', oid, '\(privileges)')
                """
            return Set(try await texts(sql))
        }
        let readable = try await relations("select")
        #expect(readable.count == 42)
        #expect(readable.allSatisfy { $0?.hasPrefix("reconcile.") == true })
        let readOnly = ViewContract.all.map(\.name) + ["live_worker", "migration", "privilege"]
        let own = readable.subtracting(readOnly.map { "reconcile.\($0)" })
        #expect(try await relations("insert") == own)
        // Signatures are added, and never changed.
        for privilege in ["update", "delete"] {
            #expect(try await relations(privilege) == own.subtracting(["reconcile.sign_off"]))
        }
        #expect(try await relations("truncate, references, trigger") == [])
        try await asLogin {
            "grant reconcile_job to \($0.login)"
        } _: { database in
            let notChecked = try await database.privileges.checkReadOnlyRole()
            #expect(notChecked == [])
            try await database.privileges.checkNeeded()
        }
    }
}

@Suite("Pruning", .database)
struct PruningTests: DatabaseSuite {
    @Test("Old runs are removed, but not the last published run and not an open run")
    func before() async throws {
        try await store(["r1": "ann"])
        // The last one over everything has the smaller id.
        try await spend("2", at: .day(1))
        try await spend("1", at: .day(2))
        try await spend("3", at: .day(3), scope: .limited(users: 1))
        try await spend("4", at: nil)
        let pruned = try await database.pruning.prune(before: .day(4))
        #expect(pruned == Pruned(runs: 2, answers: 2, outcomes: 2, findings: 2))
        let left = "select run_id from reconcile.run where pruned_at is null order by run_id"
        #expect(try await texts(left) == ["1", "4"])
        #expect(try await texts("select count(*) from reconcile.run") == ["4"])
        for table in JudgedUser.tables + ["batch"] {
            let isByNumber =
                ["outcome", "sighted_purchase", "unit_sighting", "user_result"].contains(table)
            let rows = isByNumber ? "\(table) inner join reconcile.run using (run_no)" : table
            let runs = "select distinct run_id from reconcile.\(rows) order by run_id"
            #expect(try await texts(runs) == ["1", "4"], "\(table)")
        }
        #expect(try await database.pruning.prune(before: .day(4)).runs == 0)
        let error = try await databaseError { try await database.runs.replayable(RunID(text: "2")) }
        #expect(error.description.contains("were pruned"))
    }

    @Test("Everything about a user is removed but the state of an open run, and nothing of others")
    func user() async throws {
        try await store(["r1": "ann"])
        try await spend("1", at: nil)
        #expect(try await database.pruning.prune(user: "ann", by: "dpo") == Pruned())
        #expect(try await texts(JudgedUser.written) == JudgedUser.tables)
        try await database.ledger.publish(RunID(text: "1"), at: .asOf, under: nil)
        let known = Acceptance(finding: "aaaaaaaa", by: "eve", why: "known", until: nil)
        _ = try await database.acceptances.accept(known)
        #expect(try await database.pruning.prune(user: "bob", by: "dpo") == Pruned())
        let tables = JudgedUser.tables + ["ledger", "acceptance"]
        #expect(Set(try await texts(tables.rows { "'\($0)'" })) == Set(tables))
        let pruned = try await database.pruning.prune(user: "ann", by: "dpo")
        #expect(pruned == Pruned(answers: 1, outcomes: 1, findings: 1))
        // The numbers of requests, the sighting of the product and the units name no user.
        let rest = ["request_count", "sighted_product", "unit_sighting"]
        #expect(Set(try await texts(tables.rows { "'\($0)'" })) == Set(rest))
        #expect(try await texts("select users from reconcile.sighted_product") == ["1"])
    }

    /// A published run of one user with a row in every table; without an end it is open.
    private func spend(_ id: String, at end: Instant?, scope: Run.Scope = .everything) async throws
    {
        let run = Run.test(id, scope: scope)
        let batch = try await database.openedBatches(of: run, keeping: .all)[0]
        let refused = BatchFlush.test(batch, refusing: .test(refused: "r1"), isDone: false)
        try await record(refused, of: run)
        try await record(.test(batch, .full()), of: run)
        if let end { try await database.ledger.publish(run.id, at: end, under: nil) }
    }
}

/// To add a case: a row with SQL that changes the schema, and the problem that is named.
@Suite("The reference service's schema", .database(.ownTables))
struct ReferenceAppTests: DatabaseSuite {
    @Test("Filling the tables replaces all earlier rows, and keeps them when it fails")
    func isFilled() async throws {
        #expect(try await reason { try await fill() } == .notMigrated)
        for _ in 1...2 { try await database.referenceApp.create() }
        _ = try await database.views.check()
        try await fill("a", "b")
        try await execute(
            """
            create table app.notes (receipt_id text references app.receipts on delete cascade,
                product_id text references app.products);
            insert into app.notes (receipt_id) values ('a')
            """)
        try await fill("user-0", "user-1")
        #expect(try await texts("select receipt_id from app.notes") == [])
        let catalog = try await database.catalog.read()
        #expect(catalog.products == Self.catalog.products)
        #expect(catalog.apps == Self.catalog.apps)
        let data = "select receipt_data from reconcile.stored_receipts"
        #expect(try await texts(data) == ["a\tb\\", "a\tb\\"])
        let sources = "select source from reconcile.stored_entitlements order by source"
        let both = ["legacy_paid", "legacy_paid", "promotion", "promotion"]
        #expect(try await texts(sources) == both)
        let error = try await databaseError { try await fill("v", "v") }
        #expect(error.statement == "copy_reference_rows(receipts)")
        let users = "select user_id from reconcile.stored_receipts order by user_id"
        #expect(try await texts(users) == ["user-0", "user-1"])
    }

    @Test(
        "A schema of the same name that belongs to another owner is left unchanged",
        arguments: [
            (
                change: "alter table app.receipts add column note text",
                problem: "app.receipts.note (text) is not the reference service's."
            ),
            (
                """
                drop view reconcile.catalog_apps; alter table app.apps drop column paid_until
                """, "app.apps.paid_until (timestamp with time zone) is missing."
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
        #expect(try await reason { try await fill() } == .sourceData([problem]))
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

    private func fill(_ users: UserID...) async throws {
        try await database.referenceApp.fill(Self.catalog) { part in
            guard part < users.count else { return nil }
            let user = users[part]
            let receipt = StoredReceipt(
                id: ReceiptID(user.text), user: user, bundle: "app", data: ReceiptData("a\tb\\"),
                storedAt: .asOf)
            let rows = [EntitlementSource.other("promotion"), .legacyPaid].map { source in
                StoredEntitlement(
                    id: EntitlementID("\(user)\(source)"), user: user, product: "m",
                    isActive: true, source: source, updatedAt: .asOf)
            }
            return ReferenceRows(receipts: [receipt], entitlements: rows)
        }
    }
}
