import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Mistakes of an operator, each with its exit status, message and advice.
@Suite("An operator's mistake", .timeLimit(.minutes(10)))
struct OperatorInputTests {
    struct Slip: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var flags: [String] = []
        var environment: [String: String] = [:]
        /// SQL that the superuser runs first. `LOGIN` is replaced by the job's role.
        var sql = ""
        let status: Int32
        let says: String
        let advises: String

        init(
            _ testDescription: String, _ flags: [String] = [], environment: [String: String] = [:],
            sql: String = "", _ status: Int32, _ says: String, _ advises: String
        ) {
            self.testDescription = testDescription
            self.flags = flags
            self.environment = environment
            self.sql = sql
            self.status = status
            self.says = says
            self.advises = advises
        }
    }

    private static let tryHelp = "Try `reconcile-job run --help`."
    private static let checkAddress =
        "Check --database or DATABASE_URL, and that PostgreSQL is running."
    private static let noPassword =
        "Put it in ~/.pgpass, or set PGPASSWORD or DATABASE_URL. " + tryHelp
    private static let correctViews = "Correct the views in schema reconcile, then run again."
    private static let runRoles =
        "run reconcile-job migrate --roles apply as the owner of schema reconcile."
    private static let checkLogin =
        "Check the role, and its password in ~/.pgpass or in the file that PGPASSFILE names."

    /// Longer than a DNS label, so no server is asked.
    private static let noHost = String(repeating: "h", count: 64)

    @Test(
        "A mistake on the command line or in the environment is reported with what to do",
        arguments: [
            Slip("an unknown flag", ["--frob=1"], 64, "--frob is not a flag of `run`", tryHelp),
            Slip("a flag misspelt", ["--reprots", "x"], 64, "Did you mean --reports?", tryHelp),
            Slip("a word too many", ["--dry-run", "now"], 64, "Word 3 of the command", tryHelp),
            Slip(
                "no value", ["--settle"], 64, "--settle needs a value: --settle DURATION", tryHelp),
            Slip(
                "a bad duration", ["--timeout=5 minutes"], 64,
                "\"5 minutes\" is not a duration above 0: a number and ms, s, m, h or d",
                tryHelp),
            Slip("a duration of nothing", ["--timeout", "0s"], 64, "a duration above 0", tryHelp),
            Slip("a bad rate", ["--rate=fast"], 64, "not a decimal number above 0", tryHelp),
            Slip("a rate of nothing", ["--rate=0"], 64, "not a decimal number above 0", tryHelp),
            Slip("a rate below it", ["--rate=-1"], 64, "not a decimal number above 0", tryHelp),
            Slip(
                "an instant without a zone", ["--as-of=2026-11-20T02:00:00"], 64,
                "not an RFC 3339 instant, for example 2026-11-20T02:00:00Z", tryHelp),
            Slip(
                "a bad variable", environment: ["RECONCILE_RATE": "fast"], 64,
                "RECONCILE_RATE: \"fast\" is not a decimal number above 0", tryHelp),
            Slip(
                "a variable that is neither true nor false",
                environment: ["RECONCILE_ALLOW_WRITABLE_ROLE": "1"], 64,
                "RECONCILE_ALLOW_WRITABLE_ROLE: \"1\" is not `true` or `false`", tryHelp),
            Slip(
                "a password among key words", ["--database=host=h password=hunter2"], 64,
                "--database: must not hold a password", noPassword),
            Slip(
                "a password in the user part", ["--database", "postgres://u:hunter2@h/d"], 64,
                "--database: must not hold a password", noPassword),
            Slip(
                "a password among parameters", ["--database=postgres://h/d?password=hunter2"], 64,
                "--database: must not hold a password", noPassword),
            Slip(
                "receipts in the clear", ["--production-url=http://buy.example/hunter2"], 78,
                "--production-url: the value would send receipts unencrypted",
                "plain http is for 127.0.0.0/8, [::1] and localhost only."),
            Slip(
                "receipts in the clear, by a variable",
                environment: ["RECONCILE_SANDBOX_URL": "http://h/"], 78, "--sandbox-url: the value",
                "plain http is for 127.0.0.0/8, [::1] and localhost only."),
            Slip(
                "no secrets file", ["--shared-secrets=/nowhere/hunter"], 78,
                "cannot read /nowhere/hunter: No such file", "Check the path and its permissions."),
            Slip(
                "no host of that name", ["--database=host=\(noHost)"], 69,
                "Cannot reach the database: could not translate host name", checkAddress),
            Slip(
                "no server", ["--database=postgres://127.0.0.1:1/d"], 69, "Connection refused",
                checkAddress),
            Slip(
                "no server, by a variable", environment: ["DATABASE_URL": "postgres://127.0.0.1:1"],
                69, "Connection refused", checkAddress),
            Slip(
                "no server, by libpq's variables", environment: ["PGHOST": "/nowhere"], 69,
                "/nowhere/.s.PGSQL.5432", checkAddress),
            Slip(
                "an address that is none, with a password in it",
                environment: ["RECONCILE_DATABASE": "postgres://u:hunter2@[::1/d"], 78,
                "The connection string cannot be used: ", "a password belongs in ~/.pgpass."),
        ])
    func outside(slip: Slip) throws {
        let job = try JobProcess(["run"] + slip.flags, environment: slip.environment)
        expect(job, slip)
    }

    @Test(
        "A mistake in the secrets file is reported with what to do",
        arguments: [
            ("* = hunter2", 0o640, 77, "others can read", "Run `chmod 600` on it."),
            ("* = hunter2", 0o604, 77, "others can read", "Run `chmod 600` on it."),
            (
                "com.acme = hunter1\nhunter2", 0o600, 78, "Line 2 of the shared secrets is not",
                "Write one bundle id, or `*`, and its secret without spaces inside."
            ),
        ] as [(String, Int, Int32, String, String)])
    func secrets(text: String, mode: Int, status: Int32, says: String, advises: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "secrets", mode: mode)
        let job = try JobProcess(["run", "--shared-secrets", path])
        expect(job, Slip("", [], status, says, advises))
        #expect(job.lastLine.contains(path))
    }

    @Test(
        "A mistake in the database is reported before any request to Apple",
        arguments: [
            Slip(
                "a wrong password",
                sql: """
                    do $$ begin create role needs_password nologin;
                    exception when duplicate_object or unique_violation then null; end $$;
                    alter role LOGIN password 'another'; grant needs_password to LOGIN;
                    """, 77, "password authentication failed", checkLogin),
            Slip(
                "no such role", sql: "alter role LOGIN rename to LOGIN_gone", 77,
                "does not exist", checkLogin),
            Slip(
                "a role that may not log in", sql: "alter role LOGIN nologin", 77,
                "is not permitted to log in", checkLogin),
            Slip(
                "no connection left for the role", sql: "alter role LOGIN connection limit 0", 69,
                "too many connections for role", checkAddress),
            Slip(
                "a schema that was not migrated", sql: "drop schema reconcile cascade", 78,
                "The job's tables are missing or older than this program",
                "Run reconcile-job migrate."),
            Slip(
                "a schema of a newer program",
                sql: """
                    insert into reconcile.migration (version, name, sha256)
                    values (9999, '9999_fly', sha256(''))
                    """, 78, "The schema has migration 9999_fly", "or a later one."),
            Slip(
                "no right on the schema",
                sql: "revoke usage on schema reconcile from reconcile_job",
                77, "permission denied for schema reconcile", runRoles),
            Slip(
                "no right to read a view",
                sql: "revoke select on reconcile.catalog_products from reconcile_job", 77,
                "no privilege to select from reconcile.catalog_products", runRoles),
            Slip(
                "no right to write an own table",
                sql: "revoke insert on reconcile.finding from reconcile_job", 77,
                "no privilege to insert into reconcile.finding", runRoles),
            Slip(
                "a right too many", sql: "grant update on team.entitlements to LOGIN", 77,
                "LOGIN may update in team.entitlements", "or add --allow-writable-role."),
            Slip(
                "a missing view", sql: "drop view reconcile.stored_entitlements", 65,
                "The view reconcile.stored_entitlements is missing.", correctViews),
            Slip(
                "a missing column",
                sql: "alter view reconcile.catalog_apps rename column paid_until to paid", 65,
                "reconcile.catalog_apps lacks the column paid_until (timestamptz).", correctViews),
            Slip(
                "a column of a wrong type",
                sql: """
                    drop view reconcile.stored_download_keys;
                    create view reconcile.stored_download_keys as
                    select 1 as receipt_id, '' as product_id, '' as remote_product_id,
                        '' as download_key, now() as expires_at where false;
                    grant select on reconcile.stored_download_keys to reconcile_job
                    """, 65, "receipt_id is integer, not text: write receipt_id::text",
                correctViews),
            Slip(
                "a kind that nobody knows", sql: "insert into team.products values ('p', 'gift')",
                65, "“p” is of the unknown kind “gift”", correctViews),
            Slip(
                "an id twice", sql: "insert into team.receipts (id) values ('=a'), ('=a')", 65,
                "holds the receipt_id “=a” more than once.", correctViews),
            Slip(
                "a server that only reads",
                sql: "alter role LOGIN set default_transaction_read_only = on", 69,
                "The session is read only", "set default_transaction_read_only = off."),
            Slip(
                "a user that is not there", ["--user=nobody"], 64, "There is no user “nobody”",
                "Check --user and --receipt."),
            Slip(
                "reports where no folder is", ["--reports=/nowhere/reports"], 73,
                "Cannot write reports at /nowhere/reports: No such file or directory.",
                "or give another one with --reports."),
            Slip(
                "reports where nobody may write", ["--reports=/proc/reports"], 73,
                "Cannot write reports at /proc/reports:", "or give another one with --reports."),
            Slip(
                "reports in a file", ["--reports=/dev/null"], 73, "Not a directory.",
                "or give another one with --reports."),
        ])
    func inside(slip: Slip) async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            let name = scene.test.name
            try await scene.test.store(receipt: "r", of: "ann")
            let sql = slip.sql.replacing("LOGIN", with: name)
            if !sql.isEmpty { try await scene.test.execute(sql) }
            let job = try await scene.start(slip.flags).end()
            expect(job, slip, login: name)
            #expect(scene.apple.requests.isEmpty)
            #expect(scene.published == [])
            if sql.contains("rename to") {
                try await scene.test.execute("alter role \(name)_gone rename to \(name)")
            }
        }
    }

    @Test("A file in the way of the reports folder is reported and left unchanged")
    func occupied() async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            try await scene.test.store(receipt: "r", of: "ann")
            try FileManager.default.createDirectory(
                atPath: scene.latest, withIntermediateDirectories: true)
            let job = try await scene.run()
            expect(
                job,
                Slip(
                    "", [], 73, "latest already exists and was not created by this job.",
                    "Move it away, then run again."))
            #expect(scene.apple.requests.isEmpty && scene.published == ["latest"])
        }
    }

    @Test(
        "A full disk is reported by its exit status, and the last report stays",
        arguments: [(0, 74, false), (1, 74, true)] as [(Int, Int32, Bool)])
    func full(blocks: Int, status: Int32, isAsked: Bool) async throws {
        try await StrangerScene.with(.always(AppleAnswer.verified())) { scene in
            for user in 0..<20 { try await scene.test.store(receipt: "r\(user)", of: "u\(user)") }
            for user in 0..<20 {
                try await scene.test.store(entitlement: "e\(user)", of: "u\(user)")
            }
            let good = try await scene.run()
            #expect(good.status == 0, "\(good.error)")
            let (before, asked) = (scene.published, scene.apple.requests.count)
            let job = try await scene.run(fileBlocks: blocks)
            let says = isAsked ? "Nothing was published." : "failed: File too large."
            expect(
                job, Slip("", [], status, says, "Free space or repair the disk, then run again."))
            #expect(scene.published == before && before.count == 2)
            #expect((scene.apple.requests.count > asked) == isAsked)
            let hidden = try FileManager.default.contentsOfDirectory(atPath: scene.reports)
            #expect(hidden.sorted() == before)
        }
    }

    private func expect(_ job: JobProcess, _ slip: Slip, login: String = "") {
        #expect(job.status == slip.status, "\(job.error)")
        #expect(job.output.isEmpty)
        #expect(job.lastLine.hasPrefix("reconcile-job: "))
        let says = slip.says.replacing("LOGIN", with: login)
        #expect(job.lastLine.contains(says), "\(job.lastLine)")
        #expect(job.lastLine.hasSuffix(slip.advises), "\(job.lastLine)")
        #expect(!job.error.contains("hunter2") && !job.error.contains("canary"))
    }
}
