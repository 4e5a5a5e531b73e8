import Foundation
import Testing

@testable import TestSupport

/// The shared secret, the role's password and the receipts must be in no output.
@Suite("A secret", .timeLimit(.minutes(10)))
struct SecrecyTests {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "flo"]

    /// All tests share the server's log, so this test needs a mark that no other test writes.
    private let mark = String(repeating: UUID().uuidString, count: 3)

    private func receipt(of user: String) -> String { TestDatabase.receipt("\(user) \(mark)") }

    /// The forbidden texts: in plain, and the secret in base64 at each of its three offsets.
    private var canaries: [String] {
        let shifted = ["", ".", ".."].map { before in
            let text = Data((before + Session.secret).utf8).base64EncodedString()
            return String(text.dropFirst(4).prefix(20))
        }
        // The middle of each receipt is in the mark.
        let receipt = receipt(of: "ann")
        let part = String(receipt.dropFirst(receipt.count / 2).prefix(64))
        return [Session.secret, Session.password, part] + shifted
    }

    /// Repeats the request in the answer in every possible way.
    private func answer(to user: String) -> LoopbackServer.Act {
        let receipt = receipt(of: user)
        let leak = "\(receipt) \(Session.secret)"
        let period = AppleAnswer.period("1", from: -60, to: -30)
        return switch user {
        case "ann": .reply(#"{"status":21004,"exception":"\#(leak)"}"#)
        case "bob": .reply("<html>\(leak)</html>")
        case "cyd": .reply(#"{"status":21100,"is_retryable":false,"message":"\#(leak)"}"#)
        case "dan": .reply(status: "503 \(Session.secret)", leak)
        case "eve": .reply(#"{"status":0,"receipt":"\#(leak)","environment":"\#(leak)"}"#)
        default: .reply(AppleAnswer.subscribed([period], latest: receipt))
        }
    }

    @Test("A secret is in no log, report or table, and not in the server's log of all statements")
    func night() async throws {
        try await withScene { scene in
            var texts: [String] = []
            let flags = "--log-level=debug --max-attempts=2 --progress=always --output=json"
            // The level debug has all lines of the others.
            for format in ["text", "json"] {
                let asked = scene.apple.asks.count
                let job = try await scene.steps("run \(flags) --log-format=\(format) | 0")
                #expect(scene.apple.asks.count >= asked + 6)
                texts += [job.output, job.error]
                let latest = scene.reports + "/latest/"
                texts += try FileManager.default.contentsOfDirectory(atPath: latest)
                    .map { try publishedText(latest + $0) }
            }
            #expect(scene.apple.asks.allSatisfy { $0.password == Session.secret })
            try await expectNothing(in: texts, and: scene, logged: "copy reconcile.outcome")
        }
    }

    @Test("A secret is in no message when a row is refused and PostgreSQL quotes it")
    func quoted() async throws {
        try await withScene { scene in
            var texts: [String] = []
            for (table, user) in [("outcome", "bob"), ("finding", "flo")] {
                let job = try await scene.steps(
                    """
                    alter table reconcile.\(table) add constraint odd check (user_id <> '\(user)')
                    run --new --log-level=debug --max-attempts=1 | 70 | ! Failing row
                    alter table reconcile.\(table) drop constraint odd
                    """)
                // A request's line names the receipt id, which here equals the user id.
                let lines = job.error.split(separator: "\n").filter { !$0.contains("requested") }
                #expect(lines.allSatisfy { !$0.contains("bob") })
                texts += [job.output, job.error]
            }
            try await expectNothing(in: texts, and: scene, logged: "Failing row contains")
        }
    }

    @Test("simulate prints its URLs; a secret is in no core file, and no other user can inspect it")
    func core() async throws {
        // root can read every process, so the test needs an unprivileged user.
        let launcher = getuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
        let job = try ChildProcess("exec \(launcher) \"$0\" simulate --customers=1")
        await job.ready()
        let limits = try String(contentsOfFile: "/proc/\(job.id)/limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +1 +1 /#))
        // The /proc files of a process that is not dumpable belong to root.
        let file = try FileManager.default.attributesOfItem(atPath: "/proc/\(job.id)/environ")
        #expect(file[.ownerAccountID] as? Int == 0)
        let end = await job.finish(by: SIGINT)
            .ends(130, "Stopped by SIGINT; 0 requests were answered.")
        let urls = #/production=http://127.0.0.1:(\d+)/verifyReceipt sandbox=(.*)\n/#
        let ports = try #require(end.output.wholeMatch(of: urls))
        #expect(ports.2.hasPrefix("http://127.0.0.1:") && !ports.2.contains(ports.1))
    }

    /// The users' receipts in a database of which the server logs every statement and parameter.
    private func withScene(_ body: (Session) async throws -> Void) async throws {
        let acts = Self.users.map { (receipt(of: $0), answer(to: $0)) }
        try await Session.empty(acts: Dictionary(uniqueKeysWithValues: acts)) { scene in
            try await scene.test.sell("pro.monthly")
            for user in Self.users {
                try await scene.test.store(receipt: user, of: user, data: .text(receipt(of: user)))
                try await scene.grant(user)
            }
            for setting in [
                "log_statement = 'all'", "log_min_duration_statement = 0",
                "log_parameter_max_length = -1", "log_parameter_max_length_on_error = -1",
                "log_error_verbosity = 'verbose'", "log_min_messages = 'debug1'",
                "debug_print_parse = 'off'",
            ] { try await scene.test.execute("alter database \(scene.test.name) set \(setting)") }
            try await body(scene)
        }
    }

    /// - Parameter mark: a text that proves that the server's log has all statements.
    private func expectNothing(
        in texts: [String], and scene: Session, logged mark: String
    ) async throws {
        // scripts/postgres keeps the log in the directory of the data.
        let kept = try await scene.test.texts(
            """
            select encode(pg_read_binary_file(current_setting('data_directory') || '/../log'), \
            'escape') union all select table_to_xml(oid, true, false, '')::text from pg_class
            where relnamespace = 'reconcile'::regnamespace and relkind = 'r'
            """
        ).compactMap(\.self)
        #expect(kept.contains { $0.contains(mark) })
        for text in texts + kept {
            for canary in canaries { #expect(!text.contains(canary), "\(canary)") }
        }
    }
}

/// A role that can create functions or operators must not get the job, or a superuser, to run them.
@Suite("Functions and operators of other roles", .timeLimit(.minutes(10)))
struct HostileSchemaTests {
    private static let path = "search_path = public, pg_catalog"

    @Test(
        "Neither the job nor a superuser who reads its tables runs another role's functions",
        arguments: ["alter database $ROLE set \(path)", "alter role $ROLE set \(path)", ""])
    func neverRun(change: String) async throws {
        try await Session.with { scene in
            try await scene.test.execute(Self.traps)
            try await scene.steps(
                """
                \(change)
                drop schema reconcile cascade
                job migrate && job migrate --roles=apply | 0
                """)
            try await scene.test.execute("set search_path = pg_catalog;" + TestDatabase.teamViews)
            // The last rows show that the traps work.
            try await scene.steps(
                """
                run --evidence=all && ls reports| head -1 > first | 0
                run && run --user=ann && run --trial && run --replay=$(cat first) | 0
                job report $(cat first) --reports=copies && job explain --user=ann | 0
                job accept $(cut -d, -f1 reports/latest/expirations.csv| tail -1) \
                    --by=ada --why=known && job accept --list | 0
                job prune --before=2099-01-01T00:00:00Z && job prune --user=ann --by=a | 0
                job runs | 0
                alter database $ROLE set \(Self.path)
                \(Self.maintenance.replacing("\n", with: " "))
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

    /// SQL for functions, operators and an aggregate in schema public, each of which records that
    /// it was run. A row has a type and the functions that return it.
    private static let traps: String = {
        let functions = """
            text | md5(text) | left(text, int) | replace(text, text, text) | encode(bytea, text)
            text | set_config(text, text, boolean) | "||"(text, text)
            bytea | convert_to(text, text) | sha256(bytea)
            timestamptz | now() | clock_timestamp()
            boolean | "="(text, text) | "<>"(text, text) | "<"(text, text)
            int8 | counted(int8) | hashtextextended(text, bigint)
            """.rows.flatMap { row in
                row.dropFirst().map { signature in
                    """
                    create function public.\(signature) returns \(row[0]) language plpgsql as $$
                    begin insert into public.caught values ('\(signature.prefix { $0 != "(" })');
                    return null; end $$;
                    """
                }
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
            create aggregate public.count(*) (sfunc = public.counted, stype = int8, initcond = '0');
            """
    }()
}
