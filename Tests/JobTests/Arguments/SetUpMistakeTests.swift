import Foundation
import Testing

@testable import TestSupport

/// To add a case: a `SetUpMistake` below, or a copy of a test.
@Suite("An operator's mistake", .hangLimit)
struct SetUpMistakeTests {
    struct SetUpMistake: CustomTestStringConvertible, Sendable {
        var sql = "select 1"
        var flags: [String] = []
        let status: Int32
        let says: String
        var advice = Advice.nothing

        var testDescription: String { "\(sql) \(flags.joined(separator: " "))" }
    }

    private static let mistakes = [
        SetUpMistake(
            sql: "drop schema reconcile cascade", status: 78, says: "tables are missing or older",
            advice: "Run reconcile-job migrate."),
        SetUpMistake(
            sql: "drop schema reconcile cascade", flags: ["--reports=/nowhere/a"], status: 78,
            says: "migrate"),
        SetUpMistake(
            sql: "insert into reconcile.migration values (9999, '9_fly', sha256(''))", status: 78,
            says: "The schema has migration 9_fly", advice: "or a later one."),
        SetUpMistake(
            sql: "revoke usage on schema reconcile from reconcile_job", status: 77,
            says: "permission denied for schema", advice: .roles),
        SetUpMistake(
            sql: """
                revoke select on reconcile.catalog_products from reconcile_job;
                drop view reconcile.catalog_apps
                """, status: 77, says: "no privilege to select from reconcile.catalog_products",
            advice: .roles),
        SetUpMistake(
            sql: "revoke insert on reconcile.finding from reconcile_job",
            flags: ["--reports=/nowhere/a"], status: 73, says: "/nowhere/a"),
        SetUpMistake(
            sql: "revoke insert on reconcile.finding from reconcile_job", status: 77,
            says: "into reconcile.finding", advice: .roles),
        SetUpMistake(
            sql: "drop view reconcile.stored_entitlements", status: 65,
            says: "stored_entitlements is missing.", advice: .views),
        SetUpMistake(
            sql: "drop view reconcile.stored_entitlements", flags: ["--reports=/nowhere/a"],
            status: 73, says: "/nowhere/a"),
        SetUpMistake(
            sql: "insert into team.products (id, kind) values ('p', 'x')", status: 65,
            says: "“p” is of the unknown kind “x”", advice: .views),
        SetUpMistake(
            flags: ["--user=nobody"], status: 64, says: "There is no user “nobody” in the views.",
            advice: "Check --user and --receipt."),
        SetUpMistake(
            flags: ["--reports=/nowhere/a"], status: 73,
            says: "Cannot write reports at /nowhere/a: No such file",
            advice: "make the missing folder (mkdir -p)."),
        SetUpMistake(
            flags: ["--reports=/dev/null"], status: 73,
            says: "Cannot write reports at /dev/null: Not a directory.",
            advice: "Give a folder with --reports."),
    ]

    @Test(
        "A mistake is reported before any request to Apple; of two, the first that is checked",
        arguments: mistakes)
    func setUp(mistake: SetUpMistake) async throws {
        try await Self.withReceipt { session in
            try await session.sql(mistake.sql)
            try await refused(session, mistake.flags, mistake.status, mistake.advice)
                .says(mistake.says)
        }
    }

    @Test("A role that cannot log in, or only read, is reported")
    func role() async throws {
        try await Self.withReceipt { session in
            let role = session.test.name
            let nobody = "--database=\(session.test.url(user: "nobody"))"
            try await refused(session, [nobody], 77, .login).says("does not exist")
            try await session.sql("alter role \(role) nologin")
            try await refused(session, [], 77, .login).says("is not permitted to log in")
            try await session.sql(
                """
                alter role \(role) login;
                alter role \(role) set default_transaction_read_only = on
                """
            )
            try await refused(session, [], 69, "set default_transaction_read_only = off.")
                .says("The session is read only")
        }
    }

    @Test("A role that may change the team's tables is refused, unless --allow-writable-role")
    func writable() async throws {
        try await Self.withReceipt { session in
            let superuser = "--database=\(session.test.url)"
            try await refused(session, [superuser], 77, .orAllow)
                .says("The database role postgres is a superuser: it")
            try await session.sql(
                """
                grant update on team.entitlements to \(session.test.name);
                alter view reconcile.catalog_products rename to hidden
                """)
            let says = "\(session.test.name) may update in team.entitlements"
            try await refused(session, [], 77, .orAllow).says("\(says): it could")
            try await refused(session, ["--dry-run"], 77, .orAllow).says(says)
            try await refused(session, ["--reports=/nowhere/a"], 73, .nothing).says("/nowhere/a")
            try await refused(session, ["--allow-writable-role"], 65, .views)
                .says("reconcile.catalog_products is missing.")
        }
    }

    private static func withReceipt(_ body: (Session) async throws -> Void) async throws {
        try await Session.empty(others: .reply(AppleAnswer.verified())) { session in
            try await session.test.store(receipt: "r", of: "ann")
            try await body(session)
        }
    }

    /// A run that ends before any request.
    private func refused(
        _ session: Session, _ flags: [String], _ status: Int32, _ advice: Advice
    ) async throws -> JobProcess {
        let job = try await session.run(flags).exits(status).says("reconcile-job: ")
            .advises(advice.text).printsNothing().omits("canary")
        #expect(session.apple.asks.isEmpty)
        #expect(session.published == [])
        return job
    }

    @Test("A wrong secrets file or reports folder, and a full disk, are reported; reports stay")
    func files() async throws {
        try await Session.with { session in
            let secrets = session.path("s")
            let flag = "--shared-secrets=\(secrets)"
            for mode in [0o640, 0o604, 0o610] {
                try session.write("* = hunter2\n", to: "s", mode: mode)
                let job = try await session.run(flag).exits(77)
                #expect(
                    job.logged == [
                        """
                        reconcile-job: --shared-secrets: others can read \(secrets). \
                        Run `chmod 600` on it.
                        """
                    ])
            }
            try session.write("com.acme = hunter1\nhunter2", to: "s")
            try await session.run(flag).exits(78).omits("hunter").printsNothing()
                .says(secrets, "line 2 is not `bundle_id = secret`.")
                .advises(
                    "Write one bundle id, or `*` for all other apps, and what follows without"
                        + " spaces inside.")
            try session.write("a = 1\na = hunter2", to: "s")
            try await session.run(flag).exits(78).omits("hunter").printsNothing()
                .says(secrets, "line 2 names the bundle of line 1")

            try session.makeFolder("reports/latest")
            try await session.run().exits(73).printsNothing().advises("Move it away.")
                .says("latest is in the way: this job did not make it, or ")
            try session.remove("reports/latest")
            try await session.run().exits()
            let before = session.everything(in: "reports")
            let full = "Free space or repair the disk."
            try await session.run("--new", with: .through("prlimit", "--fsize=0")).exits(74)
                .printsNothing().omits("Nothing").says("failed: File too large.", full)
            #expect(session.apple.asks.count == 8)
            try await session.run("--new", with: .through("prlimit", "--fsize=512")).exits(74)
                .printsNothing().says("Nothing was published. Writing ", full)
                .says(".csv failed: File too large.")
            #expect(session.everything(in: "reports") == before)
            #expect(session.apple.asks.count == 16)
        }
    }
}
