internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Batches of a run", .database)
struct BatchTests: DatabaseSuite {
    /// In the views' collation: a, A, b, B, c, é… Bytes would sort otherwise.
    private static let users = ["Zoe", "ann", "Bob", "bob", "école", "eve", "zoe", "Ann"]
    private static let inCollation = ["ann", "Ann", "bob", "Bob", "école", "eve", "zoe", "Zoe"]

    @Test(
        "The batches hold every user once, in the collation of the views",
        arguments: [(1, 8), (2, 4), (3, 3), (7, 2), (8, 1), (100, 1)])
    func everything(usersPerBatch: Int, batches: Int) async throws {
        let plan = try await cut(.everything, usersPerBatch: usersPerBatch)
        #expect(plan == RunPlan(batches: batches, users: 8, receipts: 8))
        let leased = try await database.leasedBatches()
        #expect(leased.map(\.number) == Array(1...batches))
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
        #expect(read == Self.inCollation)
    }

    @Test(
        "A run with a limit has the batches of the first users",
        arguments: [(0, 0), (1, 1), (3, 2), (50, 4)])
    func limited(users: Int, batches: Int) async throws {
        let plan = try await cut(.limited(users: users), usersPerBatch: 2)
        let count = min(users, 8)
        #expect(plan == RunPlan(batches: batches, users: count, receipts: count))
    }

    @Test("Each selected user gets a batch, and so does each user of a selected receipt")
    func selected() async throws {
        let plan = try await cut(
            .selected(users: ["eve", "Zoe"], receipts: ["r0", "r2"]), usersPerBatch: 100)
        #expect(plan == RunPlan(batches: 3, users: 3, receipts: 3))
        var read: [UserID?] = []
        for batch in try await database.leasedBatches() {
            read += try await database.portions(of: batch).flatMap(\.users).map(\.user)
        }
        #expect(read == ["Bob", "Zoe", "eve"])
    }

    @Test("A run over an id that is not in the views is refused")
    func unknown() async throws {
        try await execute("insert into team.receipts (id) values ('nobodys')")
        let scope = RunScope.selected(users: ["nobody"], receipts: ["none", "nobodys"])
        let error = try await databaseError {
            try await database.planner.plan(scope, usersPerBatch: 1)
        }
        #expect(
            error.description == """
                There is no user “nobody” in the views. There is no receipt “none” in the views. \
                The receipt “nobodys” has no user_id. Check --user and --receipt.
                """)
    }

    @Test("A run over everything has a batch for the rows that name no user")
    func withoutUser() async throws {
        try await execute(
            """
            insert into team.receipts values ('r', null, 'app', 'AAAA', now());
            insert into team.entitlements (id) values ('e');
            """)
        try await store(["r1": "ann"])
        #expect(try await plan(.everything, 9) == RunPlan(batches: 2, users: 1, receipts: 2))
        let batch = try #require(try await database.leasedBatches().last)
        #expect(batch.number == 2 && batch.users == nil)
        let portion = try #require(try await database.portions(of: batch).first)
        #expect(portion.isLast && portion.users.count == 1)
        let nobody = try #require(portion.users.first)
        #expect(nobody.user == nil && nobody.receipts.isEmpty && nobody.entitlements.isEmpty)
        #expect(nobody.invalidReceipts == [InvalidStoredReceipt(id: "r", user: nil, bundle: "app")])
        #expect(nobody.invalidEntitlements.map(\.id) == ["e"])
        try await execute(
            "delete from team.receipts where who is null; delete from team.entitlements")
        #expect(try await database.portions(of: batch).flatMap(\.users).isEmpty)
    }

    @Test(
        "Batches get larger with the number of users, from a hundred on",
        arguments: [
            (0, 5, 0), (250, 200, 3), (3_001, 200, 21), (20_000, 200, 100), (7_500, 50, 150),
        ])
    func sizes(users: Int, atMost: Int, batches: Int) async throws {
        try await execute(
            """
            insert into team.entitlements (id, who)
            select n::text, 'user' || n from generate_series(1, \(users)) n
            """)
        let plan = try await plan(.everything, atMost)
        #expect(plan == RunPlan(batches: batches, users: users, receipts: 0))
    }

    @Test("The range of a batch is read through an index in the collation of the views")
    func index() async throws {
        try await execute(
            """
            insert into team.receipts
            select n::text, 'user' || n, 'app', 'AAAA', now() from generate_series(1, 20000) n;
            analyze team.receipts;
            """)
        let plan = try await texts(
            """
            explain select receipt_id from reconcile.stored_receipts
            where user_id between 'user5' and 'user51'
            """)
        #expect(plan.contains { $0?.contains("receipts_who_idx") == true })
    }

    private func cut(_ scope: RunScope, usersPerBatch: Int) async throws -> RunPlan {
        try await test.store(
            receipts: Self.users.enumerated().map { ("r\($0.offset)", $0.element) })
        try await execute(
            "insert into team.entitlements (id, who) values ('e1', 'ann'), ('e2', 'eve')")
        return try await plan(scope, usersPerBatch)
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
