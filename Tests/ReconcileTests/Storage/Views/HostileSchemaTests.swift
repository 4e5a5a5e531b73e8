internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

/// A role that can create functions or operators must not get the job, or a superuser, to run them.
@Suite("Functions and operators of other roles", .timeLimit(.minutes(10)))
struct HostileSchemaTests: DatabaseSuite {
    private static let path = "search_path = public, pg_catalog"

    @Test(
        "Neither the job nor a superuser who reads its tables runs another role's functions",
        .database(.nothing),
        arguments: ["alter database DATABASE set " + path, "alter role LOGIN set " + path, ""])
    func neverRun(change: String) async throws {
        let change = change.replacing("DATABASE", with: test.name)
        let sql = Self.traps + "alter role LOGIN superuser; " + change
        try await asLogin(sql, connections: 3) { database in
            _ = try await database.schema.migrate()
            try await execute(
                "set search_path = pg_catalog;" + TestDatabase.teamTables + TestDatabase.teamViews
                    + """
                    insert into team.receipts values ('r1', 'ann', 'app', 'AAAA', now());
                    insert into team.entitlements values
                    ('e1', 'ann', 'gold', '1', true, null, null, null, 'app_store', now());
                    """)
            _ = try await databaseError { try await database.privileges.checkReadOnlyRole() }
            try await database.spendNights()
            try await execute("alter database \(test.name) set \(Self.path)")
            try await execute(
                """
                insert into reconcile.run (
                    run_id, as_of, is_everything, makes_history, scope, settings, evidence,
                    rules_version, code_version
                ) values ('3', '2026-01-01', true, true, '{}', '{}', 'none', 1, '1');
                insert into reconcile.outcome (
                    run_id, receipt_id, outcome, attempts, entitlements_affected
                ) values ('3', 'r1', 'verified', 1, 0);
                insert into reconcile.ledger (
                    first_run_no, first_seen, finding_id, state, kind, user_id, reference
                ) values (1, '2026-01-01', '00000000-0000-0000-0000-000000000000', 'event',
                    'refund_recorded', 'ann', '1');
                analyze reconcile.outcome; reindex table reconcile.outcome;
                analyze reconcile.ledger; reindex table reconcile.ledger;
                """)
            let caught = "select what from public.caught"
            #expect(try await texts(caught) == [])
            // The traps work.
            for sql in [
                "select md5('a'::text)", "select ('a'::text = 'b'::text)::text",
                "select 'a'::text || 'b'::text",
                "select convert_to('a'::text, 'UTF8'::text)::text", "select count(*)",
            ] {
                _ = try await texts(sql)
            }
            #expect(Set(try await texts(caught)) == ["md5", "=", "||", "convert_to", "count"])
        }
    }

    /// SQL for the functions and operators of `GROUP` in schema public, each of which records that
    /// it was run.
    private static let traps: String = {
        let functions = [
            ("md5", "text", "text"), ("convert_to", "text, text", "bytea"),
            ("sha256", "bytea", "bytea"), ("encode", "bytea, text", "text"),
            ("left", "text, int", "text"), ("now", "", "timestamptz"),
            ("clock_timestamp", "", "timestamptz"), ("replace", "text, text, text", "text"),
            ("set_config", "text, text, boolean", "text"),
        ].map { name, arguments, result in trap(name, "public.\(name)(\(arguments))", result) }
        let operators = [("=", "boolean"), ("<>", "boolean"), ("<", "boolean"), ("||", "text")]
            .enumerated().map { number, made in
                trap(made.0, "public.operator_\(number)(text, text)", made.1)
                    + """
                    create operator public.\(made.0) (
                        leftarg = text, rightarg = text, function = public.operator_\(number));

                    """
            }
        return """
            grant usage, create on schema public to GROUP;
            set role GROUP;
            create table public.caught (what text);
            grant insert, select on public.caught to public;
            \((functions + operators).joined())
            \(trap("count", "public.counted(int8)", "int8"))
            create aggregate public.count(*) (
                sfunc = public.counted, stype = int8, initcond = '0');
            reset role;

            """
    }()

    private static func trap(_ name: String, _ signature: String, _ result: String) -> String {
        """
        create function \(signature) returns \(result) language plpgsql as $$
        begin insert into public.caught values ('\(name)'); return null; end $$;

        """
    }
}
