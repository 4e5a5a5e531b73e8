internal import SQL
internal import Testing

@testable import Reconcile
@testable import TestSupport

/// Serialized, since a role belongs to all databases of the server.
@Suite("The role reconcile_job", .serialized)
struct RolesTests: DatabaseSuite {
    @Test(
        "The role has every privilege that the job needs", .database(.nothing),
        arguments: ["before", "after", "between"])
    func suffices(when: String) async throws {
        if when == "before" { try await execute(SQL.roles.text) }
        _ = try await database.schema.migrate()
        if when == "between" { try await execute(SQL.roles.text) }
        try await execute(TestDatabase.teamTables + TestDatabase.teamViews)
        if when == "after" { try await execute(SQL.roles.text + SQL.roles.text) }
        try await store(["r1": "ann"])
        try await asLogin("grant reconcile_job to LOGIN", connections: 2) { database in
            #expect(try await database.privileges.checkReadOnlyRole() == [])
            try await database.spendNights()
        }
    }

    @Test("The role has no privilege on the team's own tables", .database)
    func isNoMore() async throws {
        try await execute(SQL.roles.text)
        func relations(_ privileges: String) async throws -> [String] {
            try await texts(
                """
                select c.oid::regclass::text from pg_class c
                where c.relnamespace in ('reconcile'::regnamespace, 'team'::regnamespace)
                    and c.relkind in ('r', 'v')
                    and has_table_privilege('reconcile_job', c.oid, '\(privileges)') order by 1
                """
            ).map { $0 ?? "" }
        }
        let own =
            JudgedUser.tables + [
                "acceptance", "batch", "cleared_finding", "held_reason", "judged_user",
                "kept_receipt",
                "ledger", "ledger_undo", "rate_bucket", "run", "run_figure", "second_look",
                "worker",
            ]
        let writable = try await relations("insert, update, delete, truncate")
        #expect(writable.sorted() == own.map { "reconcile.\($0)" }.sorted())
        let readable = try await relations("select")
        #expect(readable.allSatisfy { $0.hasPrefix("reconcile.") })
        #expect(readable.count == 31)
    }

    @Test("The message about a missing privilege says to use the role", .database)
    func missing() async throws {
        try await asLogin("") { database in
            let error = try await databaseError { try await database.schema.check() }
            #expect(error.name == "accessDenied")
            #expect(error.description.contains("permission denied for schema reconcile"))
            #expect(error.description.contains("reconcile-job migrate --roles apply"))
            let rights = try await databaseError { try await database.privileges.checkNeeded() }
            #expect(rights.description.contains("no privilege to select from reconcile."))
        }
    }
}
