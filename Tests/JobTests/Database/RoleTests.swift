import SQL
import Testing

@testable import TestSupport

/// To add a case: copy a test, and write what the roles may do before and after a command, with
/// the verbs in `Tests/README.md`.
@Suite("The job's roles", .hangLimit)
struct RoleTests {
    @Test("migrate --roles prints SQL or applies it if it may")
    func roles() async throws {
        try await Session.with { session in
            let role = session.test.name
            let printed = try await session.program(
                "migrate", "--roles", "print", "--database", "host=127.0.0.1 port=1"
            ).exits().logs("No database was changed. Run the SQL on stdout")
            #expect(printed.output == SQL.roles.text)
            try await session.sql("drop schema reconcile, team cascade")
            let advice = "grant reconcile_job to the account that runs the job."
            try await session.job("migrate", "--roles=apply").exits().printsNothing()
                .advises(advice)
            try await session.job("migrate").exits()
            try await session.job("migrate", "--roles=apply").exits().printsNothing()
                .advises(advice)
            try await session.query(Self.mayUse).returns("true")
            let mayInsert = """
                select has_table_privilege('reconcile_job', 'reconcile.run', 'insert')::text
                """
            try await session.query(mayInsert).returns("true")

            try await session.sql(
                "drop owned by reconcile_job; revoke reconcile_job from \(role)")
            try await refused(session)
                .says("Cannot set up role reconcile_job: ")
                .says("permission denied for schema reconcile. Nothing was")
            try await session.sql("grant usage, create on schema reconcile to \(role)")
            try await refused(session).says("no privilege to grant usage on schema reconcile.")
            try await session.sql(
                """
                grant usage, create on schema reconcile to \(role) with grant option;
                grant select on all tables in schema reconcile to \(role)
                """)
            try await refused(session).says("no privilege to grant on reconcile.acceptance.")
        }
    }

    private static let mayUse = """
        select has_schema_privilege('reconcile_job', 'reconcile', 'usage')::text
        """

    /// By an account that may not grant everything.
    private func refused(_ session: Session) async throws -> JobProcess {
        let job = try await session.job(
            "migrate", "--roles=apply", "--database", session.login
        ).exits(77).advises("the SQL of reconcile-job migrate --roles print.")
        try await session.query(Self.mayUse).returns("false")
        return job
    }

    @Test("simulate fills no foreign schema")
    func simulate() async throws {
        try await Session.with { session in
            let load = ["simulate", "--customers=1", "--load", session.test.url]
            try await session.job(load).exits(78).printsNothing()
                .says("migrate --with-reference-app")
            try await session.sql("create schema app; create table app.receipts as select 1 as id")
            try await session.job(load).exits(65).printsNothing()
                .says("schema app is not the reference service", "Use a separate database")
            try await session.query("select id::text from app.receipts").returns("1")
        }
    }
}
