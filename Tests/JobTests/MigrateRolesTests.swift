internal import SQL
internal import Testing

@testable import TestSupport
@testable import reconcile_job

/// Serialized, since a role belongs to all databases of the server.
@Suite("migrate --roles", .serialized)
struct MigrateRolesTests {
    private static let mayUseSchema =
        "select has_schema_privilege('reconcile_job', 'reconcile', 'usage')"

    @Test("migrate --roles print writes the SQL to stdout and does not connect to a database")
    func prints() throws {
        let job = try JobProcess(
            ["migrate", "--roles", "print", "--database", "host=127.0.0.1 port=1"])
        #expect(job.status == 0, "\(job.error)")
        #expect(job.output == SQL.roles.text)
        #expect(job.error.contains("No database was changed. Run the SQL on stdout"))
    }

    @Test("migrate --roles apply grants the privileges before and after migrations, and again")
    func applies() async throws {
        try await TestDatabase.with(.nothing) { test in
            for flags in [["--roles=apply"], [], ["--roles=apply"], ["--roles=apply"]] {
                let job = try await RunningJob(["migrate", "--database", test.url] + flags).end()
                #expect(job.status == 0 && job.output.isEmpty, "\(job.error)")
                guard !flags.isEmpty else { continue }
                #expect(
                    job.lastLine.hasSuffix("grant reconcile_job to the account that runs the job."))
            }
            #expect(try await test.texts(Self.mayUseSchema) == ["t"])
            let rights = "select has_table_privilege('reconcile_job', 'reconcile.run', 'insert')"
            #expect(try await test.texts(rights) == ["t"])
        }
    }

    @Test(
        "migrate --roles apply names a missing privilege, and changes nothing",
        arguments: [
            (grants: "", says: "permission denied for schema reconcile"),
            (
                grants: """
                grant usage, create on schema reconcile to LOGIN with grant option;
                grant select on all tables in schema reconcile to LOGIN
                """,
                says: "no privilege to grant on reconcile.acceptance"
            ),
            (
                grants: "grant usage, create on schema reconcile to LOGIN",
                says: "no privilege to grant usage on schema reconcile"
            ),
        ])
    func lacksPrivilege(grants: String, says: String) async throws {
        try await TestDatabase.with(.views) { test in
            // The role may have received its privileges when the tables were created.
            try await test.execute(SQL.roles.text + "drop owned by reconcile_job")
            try await test.execute("create role \(test.name) login")
            try await test.execute(grants.replacing("LOGIN", with: test.name))
            let login = test.url(user: test.name)
            let job = try await RunningJob(["migrate", "--roles=apply", "--database", login]).end()
            #expect(job.status == 77)
            #expect(
                job.lastLine.contains("Cannot set up role reconcile_job: \(says). Nothing was"),
                "\(job.lastLine)")
            #expect(job.lastLine.hasSuffix("the SQL of reconcile-job migrate --roles print."))
            #expect(try await test.texts(Self.mayUseSchema) == ["f"])
            try await test.execute("drop owned by \(test.name); drop role \(test.name)")
        }
    }
}
