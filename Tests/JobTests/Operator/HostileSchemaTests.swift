import Testing

@testable import TestSupport

/// A role that can create functions or operators must not get the job, or a superuser, to run them.
@Suite("Functions and operators of other roles", .timeLimit(.minutes(10)))
struct HostileSchemaTests {
    private static let path = "search_path = public, pg_catalog"

    @Test(
        "Neither the job nor a superuser who reads its tables runs another role's functions",
        arguments: ["alter database $ROLE set \(path)", "alter role $ROLE set \(path)", ""])
    func neverRun(change: String) async throws {
        try await NightScene.with { scene in
            try await scene.test.execute(Self.traps)
            try await scene.steps(
                """
                \(change)
                drop schema reconcile cascade
                job migrate | 0
                job migrate --roles=apply | 0
                """)
            try await scene.test.execute("set search_path = pg_catalog;" + TestDatabase.teamViews)
            try await scene.steps(
                """
                run --evidence=all && ls reports| head -1 > first | 0
                run && run --user=ann && run --trial && run --replay=$(cat first) | 0
                job report $(cat first) --reports=copies && job explain --user=ann | 0
                job accept $(cut -d, -f1 reports/latest/expirations.csv| tail -1) \
                    --by=ada --why=known && job accept --list | 0
                job prune --before=2099-01-01T00:00:00Z && job prune --user=ann && job runs | 0
                alter database $ROLE set \(Self.path)
                """)
            try await scene.test.execute(Self.maintenance)
            // At last: the traps work.
            try await scene.steps(
                """
                job runs | 0
                select what from public.caught |
                select md5('a'::text) | null
                select ('a'::text = 'b'::text)::text | null
                select 'a'::text||'b'::text | null
                select convert_to('a'::text, 'UTF8'::text)::text | null
                select count(*) | null
                select what from public.caught | md5,"=","||",convert_to,counted
                """)
        }
    }

    /// What a superuser may do in the tables.
    private static let maintenance = """
        insert into reconcile.run (run_id, as_of, is_everything, makes_history, scope, settings,
            evidence, rules_version, code_version)
        values ('4', '2026-01-01', true, true, '{}', '{}', 'none', 1, '1');
        insert into reconcile.outcome (run_id, receipt_id, outcome, attempts, entitlements_affected)
        values ('4', 'r1', 'verified', 1, 0);
        insert into reconcile.ledger (first_run_no, first_seen, finding_id, state, kind, user_id,
            reference)
        values (1, '2026-01-01', '00000000-0000-0000-0000-000000000000', 'event',
            'refund_recorded', 'ann', '1');
        update reconcile.outcome set user_id = 'bob';
        update reconcile.ledger set user_id = 'bob';
        analyze reconcile.outcome; reindex table reconcile.outcome;
        analyze reconcile.ledger; reindex table reconcile.ledger;
        """

    /// SQL for functions, operators and an aggregate in schema public, each of which records that
    /// it was run.
    private static let traps: String = {
        let functions = textPairs(
            """
            md5(text) | text
            convert_to(text, text) | bytea
            sha256(bytea) | bytea
            encode(bytea, text) | text
            left(text, int) | text
            now() | timestamptz
            clock_timestamp() | timestamptz
            replace(text, text, text) | text
            set_config(text, text, boolean) | text
            "="(text, text) | boolean
            "<>"(text, text) | boolean
            "<"(text, text) | boolean
            "||"(text, text) | text
            counted(int8) | int8
            """
        ).map { signature, result in
            let name = signature.prefix { $0 != "(" }
            return """
                create function public.\(signature) returns \(result) language plpgsql as $$
                begin insert into public.caught values ('\(name)'); return null; end $$;
                """
        }
        let operators = ["=", "<>", "<", "||"].map { name in
            """
            create operator public.\(name) (
                leftarg = text, rightarg = text, function = public."\(name)");
            """
        }
        return """
            create table public.caught (what text); grant all on public.caught to public;
            \((functions + operators).joined())
            create aggregate public.count(*) (
                sfunc = public.counted, stype = int8, initcond = '0');
            """
    }()
}
