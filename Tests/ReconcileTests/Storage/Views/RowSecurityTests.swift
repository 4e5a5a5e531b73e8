internal import Testing

@testable import Reconcile
@testable import TestSupport

/// A run that silently reads fewer rows would accuse customers whose receipts it cannot see.
/// To add a case: a `RoleSetup` with SQL about a test's roles, among those whose policies would
/// apply or those that read all rows.
@Suite("Row-level security under a view", .database)
struct RowSecurityTests: DatabaseSuite {
    @Sendable private static func byInvoker(_ roles: TestRoles) -> String {
        """
        grant usage on schema team to \(roles.login);
        grant select on team.receipts to \(roles.login);
        alter view reconcile.stored_receipts set (security_invoker = true);
        """
    }

    /// The view's owner does not own the table.
    @Sendable private static func byOtherOwner(_ roles: TestRoles) -> String {
        """
        grant usage on schema team, reconcile to \(roles.group);
        grant select on team.receipts to \(roles.group);
        alter view reconcile.stored_receipts owner to \(roles.group);
        """
    }

    @Test(
        "A policy that would apply is an error that names the table, and never fewer rows",
        arguments: [
            RoleSetup("of the reader", sql: byInvoker),
            RoleSetup("of an owner of the view alone", sql: byOtherOwner),
            RoleSetup("showing all rows, which PostgreSQL cannot know") {
                byInvoker($0) + "alter policy others on team.receipts using (true);"
            },
            RoleSetup("hiding all rows, for lack of a policy") {
                byInvoker($0) + "drop policy others on team.receipts;"
            },
            RoleSetup("of an owner of both, forced") { roles in
                """
                alter table team.receipts force row level security, owner to \(roles.group);
                """ + byOtherOwner(roles)
            },
            RoleSetup("of a role that sets row_security") {
                byInvoker($0) + "alter role \($0.login) set row_security = on;"
            },
        ])
    func error(setup: RoleSetup) async throws {
        try await asJob(setup) { database, batch in
            let group = Batch(number: 9, users: nil, look: 2)
            let look = database.secondLook
            let operations: [() async throws -> Any] = [
                { try await database.portions(of: batch) },
                { try await database.batches.group([.test("bob")], of: group, in: .test()) as Any },
                database.views.check,
                { try await database.planner.plan(.everything, usersPerBatch: 9) },
                { try await look.controls(of: run, verifiedBy: .production, from: 0, count: 1) },
                { try await database.ledger.settle(.test(), guards: .off) { $0 } },
            ]
            for operation in operations {
                let error = try await databaseError(operation)
                let words = error.description
                #expect(words.hasPrefix("A row-level security policy would hide rows"))
                #expect(words.contains(#"policy for table "receipts""#))
                #expect(words.contains("Grant BYPASSRLS to the role that reads the table"))
                #expect(!error.isPassing)
                #expect(!error.wouldRecur)
            }
        }
    }

    @Test(
        "A role that is exempt from the policies reads all rows",
        arguments: [
            RoleSetup("by a view of the table's owner") { _ in "" },
            RoleSetup("the reader may bypass them") {
                byInvoker($0) + "alter role \($0.login) bypassrls;"
            },
            RoleSetup("the owner of the view may bypass them") {
                byOtherOwner($0) + "alter role \($0.group) bypassrls;"
            },
            RoleSetup("they are disabled") {
                byInvoker($0) + "alter table team.receipts disable row level security;"
            },
        ])
    func exempt(setup: RoleSetup) async throws {
        try await asJob(setup) { database, batch in
            let users = try await database.portions(of: batch).flatMap(\.users).map(\.user)
            #expect(Set(users) == ["ann", "bob"])
        }
    }

    private func asJob(
        _ setup: RoleSetup, _ body: (Database, Batch) async throws -> Void
    ) async throws {
        let batch = try await night(usersPerBatch: 9)[0]
        try await asLogin { roles in
            """
            grant usage on schema reconcile to \(roles.login);
            grant all on all tables in schema reconcile to \(roles.login);
            alter table team.receipts enable row level security;
            create policy others on team.receipts using (who <> 'bob');
            """ + setup.sql(roles)
        } _: {
            try await body($0, batch)
        }
    }
}
