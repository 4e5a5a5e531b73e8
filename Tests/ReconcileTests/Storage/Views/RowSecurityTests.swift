internal import Testing

@testable import Reconcile
@testable import TestSupport

/// A run that silently reads fewer rows would accuse customers whose receipts it cannot see.
///
/// `GROUP` is a view's owner that does not own the table.
@Suite("Row-level security beneath a view", .database)
struct RowSecurityTests: DatabaseSuite {
    private static let invoker = """
        grant usage on schema team to LOGIN; grant select on team.receipts to LOGIN;
        alter view reconcile.stored_receipts set (security_invoker = true);
        """
    private static let otherOwner = """
        grant usage on schema team to GROUP; grant usage on schema reconcile to GROUP;
        grant select on team.receipts to GROUP;
        alter view reconcile.stored_receipts owner to GROUP;
        """

    @Test(
        "A policy that would apply is an error that names the table, and never fewer rows",
        arguments: [
            invoker, otherOwner,
            // This policy would show all rows, which PostgreSQL cannot know.
            invoker + "alter policy others on team.receipts using (true);",
            // Without a policy all rows are hidden.
            invoker + "drop policy others on team.receipts;",
            """
            alter table team.receipts force row level security;
            alter table team.receipts owner to GROUP;
            """ + otherOwner,
            invoker + "alter role LOGIN set row_security = on;",
        ])
    func error(sql: String) async throws {
        try await secured(sql) { database, batch in
            let group = Batch(number: 9, users: nil, look: 2)
            let operations: [() async throws -> Any] = [
                { try await database.portions(of: batch) },
                { try await database.batches.group([.test("bob")], of: group, in: .test()) },
                { try await database.views.check() },
                { try await database.planner.plan(.everything, usersPerBatch: 9) },
                {
                    try await database.secondLook.controls(
                        of: run, verifiedBy: .production, from: "0", count: 1)
                },
                { try await database.ledger.settle(.test(), guards: .off) { $0 } },
            ]
            for operation in operations {
                let error = try await databaseError(operation)
                guard case .rowsHidden(let why) = error.reason else { throw error }
                #expect(why.contains(#"policy for table "receipts""#))
                let words = error.description
                #expect(words.hasPrefix("A row-level security policy would hide rows"))
                #expect(words.contains("Grant BYPASSRLS to the role that reads the table"))
                #expect(!error.isPassing && !error.wouldRecur)
            }
        }
    }

    @Test(
        "A role that is exempt from the policies reads all rows",
        arguments: [
            // A view of the table's owner.
            "", invoker + "alter role LOGIN bypassrls;", otherOwner + "alter role GROUP bypassrls;",
            invoker + "alter table team.receipts disable row level security;",
        ])
    func exempt(sql: String) async throws {
        try await secured(sql) { database, batch in
            let users = try await database.portions(of: batch).flatMap(\.users).map(\.user)
            #expect(Set(users) == ["ann", "bob"])
        }
    }

    /// A session with the nightly run's role, over two users in one batch.
    private func secured(
        _ sql: String, _ body: (Database, Batch) async throws -> Void
    ) async throws {
        let batch = try await night(usersPerBatch: 9)[0]
        let security = """
            grant usage on schema reconcile to LOGIN;
            grant all on all tables in schema reconcile to LOGIN;
            alter table team.receipts enable row level security;
            create policy others on team.receipts using (who <> 'bob');
            """
        try await asLogin(security + sql, connections: 2) { try await body($0, batch) }
    }
}
