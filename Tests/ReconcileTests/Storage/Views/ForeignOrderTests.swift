import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a user whose id another collation sorts elsewhere, or a type of the foreign
/// column.
@Suite("Views over a foreign server that sorts users", .database, .hangLimit)
struct ForeignOrderTests: DatabaseSuite {
    private static let users = ["Anna.1", "anna-2", "Bob_3", "bob.4", "_eve", "~flo"]

    /// Puts foreign tables between the views and the team's tables, which are sorted in an ICU
    /// collation. The server is the test's own.
    private func readThroughServer(_ column: String) async throws {
        let address = try #require(test.url.firstMatch(of: /@([0-9.]+):([0-9]+)\//))
        try await execute(
            """
            drop view reconcile.stored_receipts, reconcile.stored_entitlements;
            create extension postgres_fdw;
            create server shop foreign data wrapper postgres_fdw
                options (host '\(address.1)', port '\(address.2)', dbname '\(test.name)');
            create user mapping for public server shop options (user 'postgres');
            create foreign table team.far_receipts (
                id text, who \(column), bundle text, data text, at timestamptz)
                server shop options (schema_name 'team', table_name 'receipts');
            create foreign table team.far_entitlements (
                id text, who \(column), product text, chain text, active boolean,
                expires timestamptz, renews boolean, ownership text, source text, at timestamptz)
                server shop options (schema_name 'team', table_name 'entitlements');
            create view reconcile.stored_receipts (
                receipt_id, user_id, bundle_id, receipt_data, stored_at)
                as table team.far_receipts;
            create view reconcile.stored_entitlements (
                entitlement_id, user_id, product_id, original_transaction_id, is_active, expires_at,
                auto_renew, ownership, source, updated_at) as table team.far_entitlements;
            """)
        try await test.store(receipts: Self.users.map { (id: $0, user: $0) })
        for user in Self.users { try await test.store(entitlement: user, of: user) }
    }

    @Test("Otherwise than this database is refused, with what to do")
    func refused() async throws {
        try await readThroughServer(#"text collate "C""#)
        let error = try await databaseError { try await database.views.check() }
        guard case .sourceData(let problems) = error.reason else { throw error }
        #expect(problems.count == 2)
        for (problem, view) in zip(problems, ["stored_entitlements", "stored_receipts"]) {
            #expect(
                problem.hasPrefix("reconcile.\(view) reads user_id from the foreign server shop"))
            #expect(problem.contains("collations differ"))
            #expect(problem.contains("alter foreign table"))
        }
    }

    @Test("As this database does is accepted, and every user is read")
    func accepted() async throws {
        try await readThroughServer(#"text collate "en-x-icu""#)
        #expect(try await database.views.check() == [])
        let batches = try await database.openedBatches(usersPerBatch: 2)
        var users: [UserID?] = []
        for batch in batches {
            users += try await database.portions(of: batch).flatMap(\.users).map(\.user)
        }
        #expect(users.compactMap(\.?.text).sorted() == Self.users.sorted())
    }
}
