internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Batches of a run")
struct BatchTests {
    /// In the views' collation: a, A, b, B, c, é… Bytes would sort otherwise.
    static let users = ["Zoe", "ann", "Bob", "bob", "école", "eve", "zoe", "Ann"]

    private static func inCollation(_ user: String) -> Int {
        ["ann", "Ann", "bob", "Bob", "école", "eve", "zoe", "Zoe"].firstIndex(of: user) ?? 99
    }

    @Test(
        "The batches hold every user once, in the collation of the views",
        arguments: [1, 2, 3, 7, 8, 100])
    func everything(usersPerBatch: Int) async throws {
        try await night(.everything, usersPerBatch: usersPerBatch) { database, run, plan in
            let batches = (Self.users.count + usersPerBatch - 1) / usersPerBatch
            #expect(plan == RunPlan(batches: batches, users: 8, receipts: 8))
            let leased = try await database.leasedBatches(of: run)
            #expect(leased.map(\.number) == Array(1...batches))
            var read: [String] = []
            for batch in leased {
                let portions = try await database.portions(of: batch)
                #expect(portions.count == 1)
                let users = portions.flatMap(\.users)
                #expect(users.count <= usersPerBatch)
                #expect(users.allSatisfy { $0.receipts.map(\.user) == [$0.user] })
                // In collation order from batch to batch, and in any order within one.
                read += users.compactMap(\.user?.text).sorted {
                    Self.inCollation($0) < Self.inCollation($1)
                }
            }
            #expect(read == Self.users.sorted { Self.inCollation($0) < Self.inCollation($1) })
        }
    }

    @Test(
        "A run with a limit has the batches of the first users",
        arguments: [(0, 0), (1, 1), (3, 2), (50, 4)])
    func limited(users: Int, batches: Int) async throws {
        try await night(.limited(users: users), usersPerBatch: 2) { database, run, plan in
            let count = min(users, 8)
            #expect(plan == RunPlan(batches: batches, users: count, receipts: count))
        }
    }

    @Test("Each selected user gets a batch, and so does each user of a selected receipt")
    func selected() async throws {
        let scope = RunScope.selected(users: ["eve", "Zoe"], receipts: ["r0", "r2"])
        try await night(scope, usersPerBatch: 100) { database, run, plan in
            #expect(plan == RunPlan(batches: 3, users: 3, receipts: 3))
            var read: [UserID?] = []
            for batch in try await database.leasedBatches(of: run) {
                read += try await database.portions(of: batch).flatMap(\.users).map(\.user)
            }
            #expect(read == ["Bob", "Zoe", "eve"])
        }
    }

    @Test("A run over an id that is not in the views is refused")
    func unknown() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute("insert into team.receipts (id) values ('nobodys')")
            let scope = RunScope.selected(users: ["nobody"], receipts: ["none", "nobodys"])
            let error = try await databaseError {
                try await database.planner.plan(scope, usersPerBatch: 1)
            }
            #expect(
                error.description == """
                    There is no user “nobody” in the views. \
                    There is no receipt “none” in the views. \
                    The receipt “nobodys” has no user_id. Check --user and --receipt.
                    """)
        }
    }

    @Test("A run over everything has a batch for the rows that name no user")
    func withoutUser() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.receipts values ('r', null, 'app', 'AAAA', now());
                insert into team.entitlements (id) values ('e');
                """)
            try await test.store(receipts: [("r1", "ann")])
            let run = Run.test()
            _ = try await database.runs.open(run, codeVersion: "1", settings: "{}")
            let plan = try await database.planner.plan(.everything, usersPerBatch: 9)
            #expect(plan == RunPlan(batches: 2, users: 1, receipts: 2))
            #expect(try await database.planner.cut(run, usersPerBatch: 9) == plan)
            let batch = try #require(try await database.leasedBatches().last)
            #expect(batch.number == 2 && batch.users == nil)
            let portion = try #require(try await database.portions(of: batch).first)
            #expect(portion.isLast && portion.users.count == 1)
            let nobody = try #require(portion.users.first)
            #expect(nobody.user == nil && nobody.receipts.isEmpty && nobody.entitlements.isEmpty)
            #expect(
                nobody.invalidReceipts
                    == [InvalidStoredReceipt(id: "r", user: nil, bundle: "app")])
            #expect(nobody.invalidEntitlements.map(\.id) == ["e"])
            try await test.execute(
                "delete from team.receipts where who is null; delete from team.entitlements")
            #expect(try await database.portions(of: batch).flatMap(\.users).isEmpty)
        }
    }

    @Test(
        "Batches get larger with the number of users, from a hundred on",
        arguments: [(250, 200, 3), (3_001, 200, 21), (20_000, 200, 100), (7_500, 50, 150)])
    func sizes(users: Int, atMost: Int, batches: Int) async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.entitlements (id, who)
                select n::text, 'user' || n from generate_series(1, \(users)) n
                """)
            let run = Run.test()
            _ = try await database.runs.open(run, codeVersion: "1", settings: "{}")
            let plan = try await database.planner.plan(.everything, usersPerBatch: atMost)
            #expect(plan == RunPlan(batches: batches, users: users, receipts: 0))
            #expect(try await database.planner.cut(run, usersPerBatch: atMost) == plan)
        }
    }

    @Test("A run over empty views has no batches")
    func empty() async throws {
        try await TestDatabase.connected { _, database in
            _ = try await database.runs.open(.test(), codeVersion: "1", settings: "{}")
            let plan = try await database.planner.cut(.test(), usersPerBatch: 5)
            #expect(plan == RunPlan(batches: 0, users: 0, receipts: 0))
        }
    }

    @Test("The range of a batch is read through an index in the collation of the views")
    func index() async throws {
        try await TestDatabase.with(.views) { test in
            try await test.execute(
                """
                insert into team.receipts
                select n::text, 'user' || n, 'app', 'AAAA', now() from generate_series(1, 20000) n;
                analyze team.receipts;
                """)
            let plan = try await test.texts(
                """
                explain select receipt_id from reconcile.stored_receipts
                where user_id between 'user5' and 'user51'
                """)
            #expect(plan.contains { $0?.contains("receipts_who_idx") == true })
        }
    }

    private func night(
        _ scope: RunScope, usersPerBatch: Int,
        _ body: (Database, Run, RunPlan) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(
                receipts: Self.users.enumerated().map { ("r\($0.offset)", $0.element) })
            try await test.execute(
                "insert into team.entitlements (id, who) values ('e1', 'ann'), ('e2', 'eve')")
            let run = Run.test(scope: scope)
            _ = try await database.runs.open(run, codeVersion: "1", settings: "{}")
            let plan = try await database.planner.cut(run, usersPerBatch: usersPerBatch)
            #expect(try await database.planner.plan(scope, usersPerBatch: usersPerBatch) == plan)
            try await body(database, run, plan)
        }
    }
}
