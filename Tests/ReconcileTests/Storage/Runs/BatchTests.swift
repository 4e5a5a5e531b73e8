internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Batches of a run", .database)
struct BatchTests: DatabaseSuite {
    /// In the views' collation: a, A, b, B, c, é… Bytes would sort otherwise.
    private static let users = ["Zoe", "ann", "Bob", "bob", "école", "eve", "zoe", "Ann"]
    private static let inCollation = ["ann", "Ann", "bob", "Bob", "école", "eve", "zoe", "Zoe"]

    @Test(
        "The batches hold every user once, or the first users, in the collation of the views",
        arguments: [
            (nil, 1, 8), (nil, 2, 4), (nil, 3, 3), (nil, 7, 2), (nil, 8, 1), (nil, 100, 1),
            (0, 2, 0), (1, 2, 1), (3, 2, 2), (50, 2, 4),
        ])
    func cut(limit: Int?, usersPerBatch: Int, batches: Int) async throws {
        try await test.store(
            receipts: Self.users.enumerated().map { ("r\($0.offset)", $0.element) })
        try await test.store(entitlement: "e1", of: "ann")
        let plan = try await plan(limit.map(RunScope.limited) ?? .everything, usersPerBatch)
        let all = Self.inCollation.prefix(limit ?? 8)
        #expect(plan == RunPlan(batches: batches, users: all.count, receipts: all.count))
        let leased = try await database.leasedBatches()
        #expect(leased.map(\.number) == Array(1..<batches + 1))
        var read: [String] = []
        for batch in leased {
            let portions = try await database.portions(of: batch)
            #expect(portions.count == 1)
            let users = portions.flatMap(\.users)
            #expect(users.count <= usersPerBatch)
            #expect(users.allSatisfy { $0.receipts.map(\.user) == [$0.user] })
            // In collation order from batch to batch, and in any order within one.
            let names = users.compactMap(\.user?.text)
            read += Self.inCollation.filter(names.contains)
            #expect(Set(names).count == users.count)
        }
        #expect(read == Array(all))
    }

    @Test("A run over an id that is not in the views is refused")
    func unknown() async throws {
        try await execute("insert into team.receipts (id) values ('nobodys')")
        let scope = RunScope.selected(users: ["nobody"], receipts: ["none", "nobodys"])
        let error = try await databaseError { try await plan(scope, 1) }
        #expect(
            error.description == """
                There is no user “nobody” in the views. There is no receipt “none” in the views. \
                The receipt “nobodys” has no user_id. Check --user and --receipt.
                """)
    }

    @Test(
        "Batches get larger with the number of users, and are read through an index in that order",
        arguments: [(0, 5, 0), (250, 200, 3), (3001, 200, 21), (20_000, 200, 100), (7500, 50, 150)])
    func sizes(users: Int, atMost: Int, batches: Int) async throws {
        try await execute(
            """
            insert into team.receipts
            select n::text, 'user' || n, 'app', 'AAAA', now() from generate_series(1, \(users)) n;
            analyze team.receipts;
            """)
        let plan = try await plan(.everything, atMost)
        #expect(plan == RunPlan(batches: batches, users: users, receipts: users))
        guard users == 20_000 else { return }
        let steps = try await texts(
            """
            explain select receipt_id from reconcile.stored_receipts
            where user_id between 'user5' and 'user51'
            """)
        #expect(steps.contains { $0?.contains("receipts_who_idx") == true })
    }

    /// The plan of an open run, cut as planned.
    private func plan(_ scope: RunScope, _ usersPerBatch: Int) async throws -> RunPlan {
        let run = Run.test(scope: scope)
        try await open(run)
        let plan = try await database.planner.plan(scope, usersPerBatch: usersPerBatch)
        #expect(try await database.planner.cut(run, usersPerBatch: usersPerBatch) == plan)
        return plan
    }
}
