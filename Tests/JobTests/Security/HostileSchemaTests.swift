import Testing

@testable import TestSupport

/// A role that can create functions or operators must not get the job, or a superuser, to run them.
/// To add a case: a function in `traps`, or a command in `neverRun`.
@Suite("Functions and operators of other roles", .hangLimit)
struct HostileSchemaTests {
    /// Whose setting puts the other role's schema before PostgreSQL's own.
    enum SearchPath: Sendable, CaseIterable {
        case ofDatabase, ofRole, unchanged

        /// - Parameter name: of the session's database and of its role.
        func sql(_ name: String) -> String {
            switch self {
            case .ofDatabase: "alter database \(name) set search_path = public, pg_catalog"
            case .ofRole: "alter role \(name) set search_path = public, pg_catalog"
            case .unchanged: "select 1"
            }
        }
    }

    @Test(
        "Neither the job nor a superuser who reads its tables runs another role's functions",
        arguments: SearchPath.allCases)
    func neverRun(path: SearchPath) async throws {
        try await Session.with { session in
            try await session.sql(Self.traps)
            try await session.sql(path.sql(session.test.name))
            try await session.sql("drop schema reconcile cascade")
            try await session.job("migrate").exits()
            try await session.job("migrate", "--roles=apply").exits()
            try await session.sql("set search_path = pg_catalog;" + TestDatabase.teamViews)
            try await useEveryCommand(session)
            try await session.sql(SearchPath.ofDatabase.sql(session.test.name))
            try await session.sql(Self.maintenance)
            try await session.job("runs").exits()
            try await session.query("select what from public.caught").returnsNothing()
        }
    }

    private func useEveryCommand(_ session: Session) async throws {
        try await session.run("--evidence=all").exits()
        let first = session.latestRun()
        for flags in [[], ["--user=ann"], ["--trial"], ["--replay=\(first)"]] {
            try await session.run(flags).exits()
        }
        try await session.job("report", first, "--reports=copies").exits()
        try await session.job("explain", "--user=ann").exits()
        let lines = session.report("expirations").items
        let finding = try #require(lines.last?["finding_id"].text)
        try await session.job("accept", finding, "--by=ada", "--why=known").exits()
        try await session.job("accept", "--list").exits()
        try await session.job("prune", "--before=2099-01-01T00:00:00Z").exits()
        try await session.job("prune", "--user=ann", "--by=a").exits()
        try await session.job("runs").exits()
    }

    @Test("The traps of this suite work")
    func traps() async throws {
        try await Session.with { session in
            try await session.sql(Self.traps)
            try await session.sql(SearchPath.ofDatabase.sql(session.test.name))
            for query in [
                "select md5('a'::text)", "select ('a'::text = 'b'::text)::text",
                "select 'a'::text||'b'::text", "select convert_to('a'::text, 'UTF8'::text)::text",
                "select count(*)",
            ] { try await session.query(query).returns(nil) }
            let caught = try await session.values("select what from public.caught")
            #expect(caught == ["md5", "\"=\"", "\"||\"", "convert_to", "counted"])
        }
    }

    /// What a superuser may do in the tables.
    private static let maintenance = """
        insert into reconcile.run (run_id, as_of, is_everything, makes_history, scope, settings,
            evidence, rules_version, code_version)
        values ('4', '2026-01-01', true, true, '{}', '{}', 'none', 1, '1');
        insert into reconcile.outcome (run_no, receipt_id, outcome, attempts, entitlements_affected)
        values (4, 'r1', 'verified', 1, 0);
        insert into reconcile.ledger (first_run_no, first_seen, finding_id, state, kind, user_id,
            reference)
        values (1, '2026-01-01', '00000000-0000-0000-0000-000000000000', 'event',
            'refund_recorded', 'ann', '1');
        update reconcile.outcome set user_id = 'bob'; update reconcile.ledger set user_id = 'bob';
        analyze reconcile.outcome; reindex table reconcile.outcome;
        analyze reconcile.ledger; reindex table reconcile.ledger
        """

    /// A function in schema public that records that it was run.
    private struct Trap {
        let name: String
        let parameters: String
        let result: String

        init(_ name: String, _ parameters: String, returns result: String) {
            self.name = name
            self.parameters = parameters
            self.result = result
        }

        var sql: String {
            """
            create function public.\(name)(\(parameters)) returns \(result) language plpgsql as $$
            begin insert into public.caught values ('\(name)'); return null; end $$;
            """
        }
    }

    /// SQL for functions, operators and an aggregate.
    private static let traps: String = {
        let functions = [
            Trap("md5", "text", returns: "text"), Trap("left", "text, int", returns: "text"),
            Trap("replace", "text, text, text", returns: "text"),
            Trap("encode", "bytea, text", returns: "text"),
            Trap("set_config", "text, text, boolean", returns: "text"),
            Trap("\"||\"", "text, text", returns: "text"),
            Trap("convert_to", "text, text", returns: "bytea"),
            Trap("sha256", "bytea", returns: "bytea"), Trap("now", "", returns: "timestamptz"),
            Trap("clock_timestamp", "", returns: "timestamptz"),
            Trap("\"=\"", "text, text", returns: "boolean"),
            Trap("\"<>\"", "text, text", returns: "boolean"),
            Trap("\"<\"", "text, text", returns: "boolean"),
            Trap("counted", "int8", returns: "int8"),
            Trap("hashtextextended", "text, bigint", returns: "int8"),
        ]
        let operators = ["=", "<>", "<", "||"].map { name in
            """
            create operator public.\(name) (
                leftarg = text, rightarg = text, function = public."\(name)");
            """
        }
        return """
            create table public.caught (what text); grant all on public.caught to public;
            \((functions.map(\.sql) + operators).joined())
            create aggregate public.count(*) (sfunc = public.counted, stype = int8, initcond = '0');
            """
    }()
}
