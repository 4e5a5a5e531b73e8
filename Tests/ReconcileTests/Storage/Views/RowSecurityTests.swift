internal import Testing

@testable import Reconcile
@testable import TestSupport

/// A run that silently reads fewer rows would accuse customers whose receipts it cannot see.
@Suite("Row-level security beneath a view")
struct RowSecurityTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// `LOGIN` is the session's role, `OWNER` a view's owner that does not own the table.
        let sql: String
    }

    private static let security = """
        alter table team.receipts enable row level security;
        create policy others on team.receipts using (who <> 'bob');
        """
    private static let invoker = """
        grant usage on schema team to LOGIN; grant select on team.receipts to LOGIN;
        alter view reconcile.stored_receipts set (security_invoker = true);
        """
    private static let otherOwner = """
        grant usage on schema team to OWNER; grant usage on schema reconcile to OWNER;
        grant select on team.receipts to OWNER;
        alter view reconcile.stored_receipts owner to OWNER;
        """

    @Test(
        "A policy that would apply is an error that names the table, and never fewer rows",
        arguments: [
            Case(testDescription: "a view with security_invoker", sql: invoker),
            Case(testDescription: "a view whose owner is not exempt", sql: otherOwner),
            Case(
                testDescription: "a policy that would show all rows, which PostgreSQL cannot know",
                sql: invoker + "alter policy others on team.receipts using (true);"),
            Case(
                testDescription: "no policy, which hides all rows",
                sql: invoker + "drop policy others on team.receipts;"),
            Case(
                testDescription: "security that is forced upon the owner",
                sql: """
                    alter table team.receipts force row level security;
                    alter table team.receipts owner to OWNER;
                    """ + otherOwner),
            Case(
                testDescription: "a role that turns it on by default",
                sql: invoker + "alter role LOGIN set row_security = on;"),
        ])
    func error(case: Case) async throws {
        try await asLogin(Self.security + `case`.sql) { database, batches in
            let batch = try #require(batches.first)
            let group = Batch(number: 9, users: nil, look: 2)
            let errors = [
                try await databaseError { try await database.portions(of: batch) },
                try await databaseError {
                    try await database.batches.group(
                        [.test("bob")], of: group, in: .test())
                },
                try await databaseError { try await database.views.check() },
                try await databaseError {
                    try await database.planner.plan(.everything, usersPerBatch: 9)
                },
                try await databaseError {
                    try await database.secondLook.controls(
                        of: Run.test().id, verifiedBy: .production, from: "0", count: 1)
                },
                try await databaseError {
                    try await database.ledger.settle(.test(), guards: .off) { $0 }
                },
            ]
            for error in errors {
                guard case .rowsHidden(let why) = error.reason else {
                    Issue.record("unexpected \(error)")
                    return
                }
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
            Case(testDescription: "a view of the table's owner", sql: ""),
            Case(
                testDescription: "a role with BYPASSRLS",
                sql: invoker + "alter role LOGIN bypassrls;"),
            Case(
                testDescription: "a view's owner with BYPASSRLS",
                sql: otherOwner + "alter role OWNER bypassrls;"),
            Case(
                testDescription: "a table whose security is disabled again",
                sql: invoker + "alter table team.receipts disable row level security;"),
        ])
    func exempt(case: Case) async throws {
        try await asLogin(Self.security + `case`.sql) { database, batches in
            let users = try await database.portions(of: try #require(batches.first))
                .flatMap(\.users).map(\.user)
            #expect(Set(users) == ["ann", "bob"])
        }
    }

    /// A session with the nightly run's role, over two users in one batch.
    private func asLogin(
        _ sql: String, _ body: (Database, [Batch]) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, owner in
            try await test.store(receipts: [("r1", "ann"), ("r2", "bob")])
            let batches = try await owner.openedBatches(usersPerBatch: 9)
            func named(_ text: String) -> String {
                text.replacing("LOGIN", with: test.name)
                    .replacing("OWNER", with: "owner_\(test.name)")
            }
            let roles = """
                create role LOGIN login; create role OWNER;
                grant usage on schema reconcile to LOGIN;
                grant all on all tables in schema reconcile to LOGIN;
                """
            try await test.execute(named(roles + sql))
            let database = try await Database.connect(
                test.url(user: test.name), connections: 2)
            try await body(database, batches)
            await database.close()
            try await test.execute(
                named("drop owned by LOGIN, OWNER cascade; drop role LOGIN, OWNER"))
        }
    }
}
