internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

/// A role that can create functions or operators must not get the job, or a superuser, to run them.
@Suite("Functions and operators of other roles", .timeLimit(.minutes(10)))
struct HostileSchemaTests {
    private static let run = Run.test()

    enum Path: String, CaseIterable, CustomTestStringConvertible {
        case ofDatabase, ofRole, byDefault

        var testDescription: String { rawValue }
    }

    @Test("The job never runs another role's functions and operators", arguments: Path.allCases)
    func neverRun(path: Path) async throws {
        try await TestDatabase.with(.nothing) { test in
            let intruder = "intruder_\(test.name)"
            let login = "login_\(test.name)"
            try await test.execute(Self.traps(of: intruder))
            try await test.execute(
                "create role \(login) superuser login; "
                    + (path == .ofDatabase
                        ? "alter database \(test.name) set search_path = public, pg_catalog" : "")
                    + (path == .ofRole
                        ? "alter role \(login) set search_path = public, pg_catalog" : ""))
            let database = try await Database.connect(test.url(user: login), connections: 3)
            _ = try await database.schema.migrate()
            try await test.execute(
                "set search_path = pg_catalog;" + TestDatabase.teamTables + TestDatabase.teamViews)
            try await spendNight(database, test)
            #expect(try await test.texts("select what from public.caught") == [])
            await database.close()
            try await test.execute(
                "drop owned by \(login), \(intruder) cascade; drop role \(login), \(intruder)")
        }
    }

    @Test("The traps work: an unprotected session runs them")
    func trapsWork() async throws {
        try await TestDatabase.with(.nothing) { test in
            let intruder = "intruder_\(test.name)"
            try await test.execute(Self.traps(of: intruder))
            try await test.execute(
                "alter database \(test.name) set search_path = public, pg_catalog")
            _ = try await test.texts("select md5('a'::text)")
            _ = try await test.texts("select ('a'::text = 'b'::text)::text")
            _ = try await test.texts("select 'a'::text || 'b'::text")
            _ = try await test.texts("select convert_to('a'::text, 'UTF8'::text)::text")
            _ = try await test.texts("select count(*)")
            let caught = try await test.texts("select what from public.caught")
            #expect(Set(caught) == ["md5", "=", "||", "convert_to", "count"])
            try await test.execute("drop owned by \(intruder) cascade; drop role \(intruder)")
        }
    }

    @Test("A superuser who reads the job's tables and indexes runs no trap")
    func superuser() async throws {
        try await TestDatabase.with(.ownTables) { test in
            let intruder = "intruder_\(test.name)"
            try await test.execute(Self.traps(of: intruder))
            try await test.execute(
                "alter database \(test.name) set search_path = public, pg_catalog")
            try await test.execute(
                """
                insert into reconcile.run (
                    run_id, as_of, is_everything, makes_history, scope, settings, evidence,
                    rules_version, code_version
                ) values ('1', '2026-01-01', true, true, '{}', '{}', 'none', 1, '1');
                insert into reconcile.outcome (
                    run_id, receipt_id, outcome, attempts, entitlements_affected
                ) values ('1', 'r1', 'verified', 1, 0);
                insert into reconcile.ledger (
                    first_run_no, first_seen, finding_id, state, kind, user_id, reference
                ) values (1, '2026-01-01', '00000000-0000-0000-0000-000000000000', 'event',
                    'refund_recorded', 'ann', '1');
                analyze reconcile.outcome; reindex table reconcile.outcome;
                analyze reconcile.ledger; reindex table reconcile.ledger;
                """)
            #expect(try await test.texts("select what from public.caught") == [])
            try await test.execute("drop owned by \(intruder) cascade; drop role \(intruder)")
        }
    }

    @Test("Every session has only pg_catalog in its search path, and row security off")
    func sessions() async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            try await test.execute(
                """
                alter database \(test.name) set search_path = public, pg_catalog;
                alter database \(test.name) set row_security = on;
                """)
            let other = try await Database.connect(test.url, connections: 3)
            var lent: [PostgresConnection] = []
            for _ in 1...3 { lent.append(try await other.session.pool.lend()) }
            for connection in lent {
                let settings = try await connection.query(Self.settings) {
                    row throws(PostgresError) in try row.text("setting")
                }
                #expect(settings == ["pg_catalog, pg_temp", "off"])
                other.session.pool.putBack(connection)
            }
            // The session of the run lock is a separate one.
            _ = try await other.workers.register(in: RunID(text: "1"), as: "here/1")
            await other.close()
        }
    }

    private static let settings = PostgresStatement(
        name: "test",
        text: """
            select current_setting('search_path') as setting union all
            select current_setting('row_security')
            """)

    /// SQL for a role with functions and operators in schema public, each of which records that it
    /// was run.
    private static func traps(of intruder: String) -> String {
        let functions = [
            ("md5", "text", "text"), ("convert_to", "text, text", "bytea"),
            ("sha256", "bytea", "bytea"), ("encode", "bytea, text", "text"),
            ("left", "text, int", "text"), ("now", "", "timestamptz"),
            ("clock_timestamp", "", "timestamptz"), ("replace", "text, text, text", "text"),
            ("set_config", "text, text, boolean", "text"),
        ]
        let operators = [("=", "boolean"), ("<>", "boolean"), ("<", "boolean"), ("||", "text")]
        let bodies =
            functions.map { name, arguments, result in
                trap(name, "public.\(name)(\(arguments))", result)
            }
            + operators.enumerated().map { number, made in
                trap(made.0, "public.operator_\(number)(text, text)", made.1)
                    + """
                    create operator public.\(made.0) (
                        leftarg = text, rightarg = text, function = public.operator_\(number));

                    """
            }
        return """
            create role \(intruder);
            grant usage, create on schema public to \(intruder);
            set role \(intruder);
            create table public.caught (what text);
            grant insert, select on public.caught to public;
            \(bodies.joined())
            \(trap("count", "public.counted(int8)", "int8"))
            create aggregate public.count(*) (
                sfunc = public.counted, stype = int8, initcond = '0');
            reset role;

            """
    }

    private static func trap(_ name: String, _ signature: String, _ result: String) -> String {
        """
        create function \(signature) returns \(result) language plpgsql as $$
        begin insert into public.caught values ('\(name)'); return null; end $$;

        """
    }

    /// A complete run of one user and a deleted one, with an acceptance and pruning.
    private func spendNight(_ database: Database, _ test: TestDatabase) async throws {
        try await test.execute(
            """
            set search_path = pg_catalog;
            insert into team.receipts values ('r1', 'ann', 'app', 'AAAA', now());
            insert into team.entitlements values
            ('e1', 'ann', 'gold', '1', true, null, null, null, 'app_store', now());
            """)
        try await database.schema.check()
        try await database.privileges.checkNeeded()
        try await database.views.check()
        _ = try await databaseError { try await database.privileges.checkReadOnlyRole() }
        _ = try await database.catalog.read()
        for id in ["1", "2"] { try await spend(Run.test(id), database) }
        _ = try await database.acceptances.accept(
            Acceptance(
                finding: String(repeating: "b", count: 32), by: "me", why: "known", until: nil))
        _ = try await database.pruning.prune(before: .distantFuture)
        _ = try await database.pruning.prune(user: "ann")
    }

    private func spend(_ run: Run, _ database: Database) async throws {
        try await database.workers.lock()
        _ = try await database.runs.findOpen(settings: "{}", scope: .everything)
        let batches = try await database.openedBatches(of: run, keeping: .all)
        let worker = try await database.workers.register(in: run.id, as: "here/1")
        let batch = try #require(batches.first)
        try await database.leases.begin(batch, of: run.id)
        _ = try await database.portions(of: batch, in: run)
        _ = try await database.results.record(
            [.test(batch, postponing: .test("ann", refused: "r1"))], of: run)
        _ = try await database.secondLook.cut(of: run.id)
        let group = try #require(
            try await database.leases.lease(
                batchOf: run.id, for: worker, besides: [], isFirstLook: false))
        let postponed = try await database.secondLook.postponedUsers(of: group, in: run.id)
        _ = try await database.batches.group(postponed, of: group, in: run)
        _ = try await database.secondLook.controls(
            of: run.id, verifiedBy: .production, from: "0", count: 9)
        _ = try await database.results.record([.test(group, Self.full)], of: run)
        _ = try await database.evidence.answers(
            to: [KeptAnswer.test().request], of: "ann", in: run.id)
        _ = try await database.summary(of: run) { _ in .complete }
        for try await _ in database.reports.findings(of: run.id, in: .mismatches) {}
        for try await _ in database.reports.unverified(of: run.id) {}
        for try await _ in database.reports.cleared(of: run.id) {}
        for try await _ in database.reports.notReported(of: run.id) {}
        let publication = try await database.runs.claimPublication(of: run.id, for: worker)
        try await database.ledger.publish(run.id, at: run.asOf, under: publication)
        _ = try await database.leases.freeLost(of: run.id, besides: worker)
    }

    private static let full: JudgedUser = {
        var user = JudgedUser.test(
            outcomes: [.test("r1")],
            findings: [
                .test("a", .expired, severity: .info), .test("b", .labelStale, user: "gone"),
            ],
            evidence: [.test(1)])
        user.notReported = [NotReported(entitlement: "e1", bucket: .settling, cause: .recent)]
        user.remembered = [ReportedFinding.test("c", .refundRecorded).finding]
        user.unjudged = [String(repeating: "b", count: 32)]
        user.purchases = [PurchaseSighting(user: "ann", originalID: "100")]
        user.receiptSightings = [
            ReceiptSighting(user: "ann", receipt: "r1", bundle: "app", digest: [1])
        ]
        user.unknownProducts = [UnknownProduct(product: "gold", users: 1, rows: 2)]
        user.undecided = UndecidedUser(user: "ann", lacksEvidence: true, mayBeGranted: false)
        return user
    }()
}
