internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The batches of a run")
struct BatchTests {
    /// In the views' collation: a, A, b, B, c, é… which bytes would sort otherwise.
    static let users = ["Zoe", "ann", "Bob", "bob", "école", "eve", "zoe", "Ann"]

    @Test("hold every user once, in the views' own collation", arguments: [1, 2, 3, 7, 8, 100])
    func everything(usersPerBatch: Int) async throws {
        try await night(.everything, usersPerBatch: usersPerBatch) { database, run, plan in
            let batches = (Self.users.count + usersPerBatch - 1) / usersPerBatch
            #expect(plan == RunPlan(batches: batches, users: 8, receipts: 8))
            var read: [String] = []
            for number in 1...batches {
                let batch = try #require(try await database.batch(number, of: run.id))
                let receipts = try await database.receipts(of: batch)
                #expect(receipts.valid.count <= usersPerBatch)
                read += receipts.valid.map(\.user.text)
            }
            #expect(read.sorted() == Self.users.sorted())
            #expect(read != Self.users.sorted())
            #expect(try await database.batch(batches + 1, of: run.id) == nil)
        }
    }

    @Test("are those of the first users", arguments: [(0, 0), (1, 1), (3, 2), (50, 4)])
    func limited(users: Int, batches: Int) async throws {
        try await night(.limited(users: users), usersPerBatch: 2) { database, run, plan in
            let count = min(users, 8)
            #expect(plan == RunPlan(batches: batches, users: count, receipts: count))
        }
    }

    @Test("are one for each selected user, and for each user of a selected receipt")
    func selected() async throws {
        let scope = RunScope.selected(users: ["eve", "Zoe"], receipts: ["r0", "r2"])
        try await night(scope, usersPerBatch: 100) { database, run, plan in
            #expect(plan == RunPlan(batches: 3, users: 3, receipts: 3))
            var read: [String] = []
            for number in 1...3 {
                let batch = try #require(try await database.batch(number, of: run.id))
                read += try await database.receipts(of: batch).valid.map(\.user.text)
            }
            #expect(read == ["Bob", "Zoe", "eve"])
        }
    }

    @Test("are refused for names that are not there")
    func unknown() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute("insert into team.receipts (id) values ('nobodys')")
            let scope = RunScope.selected(users: ["nobody"], receipts: ["none", "nobodys"])
            let error = try await databaseError {
                try await database.plan(scope, usersPerBatch: 1)
            }
            #expect(
                error.description == """
                    There is no user “nobody” in the views. \
                    There is no receipt “none” in the views. \
                    The receipt “nobodys” names no user. Check --user and --receipt.
                    """)
        }
    }

    @Test("include one of the rows without a user, when everything is meant")
    func withoutUser() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.receipts values ('r', null, 'app', 'AAAA', now());
                insert into team.entitlements (id) values ('e');
                """)
            try await test.store(receipts: [("r1", "ann")])
            let run = Run.test()
            _ = try await database.open(run, codeVersion: "1", settings: "{}")
            let plan = try await database.plan(.everything, usersPerBatch: 9)
            #expect(plan == RunPlan(batches: 2, users: 1, receipts: 2))
            #expect(try await database.cutBatches(of: run, usersPerBatch: 9) == plan)
            let batch = try #require(try await database.batch(2, of: run.id))
            #expect(batch.users == nil)
            let receipts = try await database.receipts(of: batch)
            #expect(
                receipts.invalid == [InvalidStoredReceipt(id: "r", user: nil, bundle: "app")])
            #expect(receipts.valid.isEmpty)
            let entitlements = try await database.entitlements(of: batch)
            #expect(entitlements.invalid.map(\.id) == ["e"])
            #expect(
                try await database.usersWithOtherReceipts(than: receipts.snapshot, in: batch)
                    .isEmpty)
        }
    }

    @Test(
        "are of a hundred users and more where there are many",
        arguments: [(250, 200, 3), (3_001, 200, 21), (20_000, 200, 100), (7_500, 50, 150)])
    func sizes(users: Int, atMost: Int, batches: Int) async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.entitlements (id, who)
                select n::text, 'user' || n from generate_series(1, \(users)) n
                """)
            let run = Run.test()
            _ = try await database.open(run, codeVersion: "1", settings: "{}")
            let plan = try await database.plan(.everything, usersPerBatch: atMost)
            #expect(plan == RunPlan(batches: batches, users: users, receipts: 0))
            #expect(try await database.cutBatches(of: run, usersPerBatch: atMost) == plan)
        }
    }

    @Test("are none over empty views")
    func empty() async throws {
        try await TestDatabase.connected { _, database in
            _ = try await database.open(.test(), codeVersion: "1", settings: "{}")
            let plan = try await database.cutBatches(of: .test(), usersPerBatch: 5)
            #expect(plan == RunPlan(batches: 0, users: 0, receipts: 0))
        }
    }

    @Test("are found by an index of the views' collation")
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

    /// A run over a receipt for each of `users`; every other has an entitlement too.
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
            _ = try await database.open(run, codeVersion: "1", settings: "{}")
            let plan = try await database.cutBatches(of: run, usersPerBatch: usersPerBatch)
            #expect(try await database.plan(scope, usersPerBatch: usersPerBatch) == plan)
            try await body(database, run, plan)
        }
    }
}
