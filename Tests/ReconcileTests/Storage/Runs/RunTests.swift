internal import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with --limit or users, the most users a batch, and the number of batches.
@Suite("Runs and their batches", .database, .hangLimit)
struct RunTests: DatabaseSuite {
    private let one = RunID(text: "1")
    private let notOpen = DatabaseError.Reason.notOpen("The run 1 is no longer open")

    @Test("A run ends once, and not by a worker that fails while others work on it")
    func ends() async throws {
        try await open(.test("1"))
        _ = try await database.workers.register(in: one, as: "first")
        let second = try await worker(of: one).database
        let early = try await reason { try await second.runs.end(one, as: .failed, at: .asOf) }
        await second.close()
        try await database.runs.end(one, as: .failed, at: .asOf)
        #expect(try await [early, reason { try await publish() }] == [notOpen, notOpen])
        // Ending it again has no effect.
        try await database.runs.end(one, as: .failed, at: .day(1))
        #expect(try await texts("select state from reconcile.run") == ["failed"])
        let isFirstEnd = "select finished_at < '2026-11-20 12:00Z' from reconcile.run"
        #expect(try await texts(isFirstEnd) == ["t"])
        // A run opens although the server repeats a sequence number, as after a crash.
        try await execute("alter table reconcile.run alter run_no restart with 1")
        try await open()
        #expect(try await texts("select run_no from reconcile.run order by 1") == ["1", "2"])
    }

    @Test("One worker publishes a run, and the next one does if that worker is gone")
    func publication() async throws {
        try await open(.test("1"))
        let worker = try await database.workers.register(in: one, as: "here/1").worker
        let other = try await self.worker(of: one)
        let runs = other.database.runs
        // Not before its users are cut into batches, and all of these are done.
        #expect(try await claim(for: worker) == nil)
        _ = try await database.planner.cut(.test("1"), usersPerBatch: 1)
        let first = try #require(try await runs.claimPublication(of: one, for: other.number))
        #expect(try await claim(for: worker) == nil)
        // Nor is it published before its users are compared with each other.
        try await expectNotOurs(first, for: other.number)
        try await execute("update reconcile.run set compared_at = now()")
        try await runs.requirePublication(first, of: one, for: other.number)
        // The same worker may claim it again, for example when the answer was lost.
        let second = try #require(try await runs.claimPublication(of: one, for: other.number))
        try await expectNotOurs(first, for: other.number)
        try await expectNotOurs(second, for: worker)
        try await end(other)
        let third = try #require(try await claim(for: worker))
        #expect(Set([first, second, third]).count == 3)
        try await expectNotOurs(second, for: other.number)
        #expect(try await reason { try await publish(under: second) } == notOpen)
        #expect(try await texts("select state from reconcile.run") == ["open"])
        try await database.runs.requirePublication(third, of: one, for: worker)
        // The answer to the COMMIT may have been lost.
        for _ in 1...2 { try await publish(under: third) }
        try await expectNotOurs(third, for: worker)
        #expect(try await claim(for: worker) == nil)
        #expect(try await texts("select state from reconcile.run") == ["published"])
    }

    private func claim(for worker: Int) async throws -> Int? {
        try await database.runs.claimPublication(of: one, for: worker)
    }

    private func publish(under publication: Int? = nil) async throws {
        try await database.ledger.publish(one, at: .asOf, under: publication)
    }

    private func expectNotOurs(_ publication: Int, for worker: Int) async throws {
        let error = try await databaseError {
            try await database.runs.requirePublication(publication, of: one, for: worker)
        }
        let text = "Another worker publishes the run 1, so nothing was written (holds_publication)."
        #expect(error.description.hasPrefix(text))
    }

    private static let users = ["Zoe", "ann", "Bob", "bob", "école", "eve", "zoe", "Ann"]
    /// In the views' collation. Bytes would sort otherwise.
    private static let inCollation = ["ann", "Ann", "bob", "Bob", "école", "eve", "zoe", "Zoe"]

    @Test(
        "The batches hold every user once, or the first users, in the collation of the views",
        arguments: [
            (limit: nil, usersPerBatch: 1, batches: 8), (nil, 2, 4), (nil, 3, 3), (nil, 7, 2),
            (nil, 8, 1), (nil, 100, 1),
            (0, 2, 0), (1, 2, 1), (3, 2, 2), (50, 2, 4),
        ])
    func cut(limit: Int?, usersPerBatch: Int, batches: Int) async throws {
        try await test.store(receipts: Self.users.map { ("r-\($0)", $0) })
        try await test.store(entitlement: "e1", of: "ann")
        let plan = try await plan(limit.map(Run.Scope.limited) ?? .everything, usersPerBatch)
        let all = Self.inCollation.prefix(limit ?? 8)
        #expect(plan == OpenedRun.Plan(batches: batches, users: all.count, receipts: all.count))
        let leased = try await database.leasedBatches()
        #expect(leased.map(\.number) == Array(1..<batches + 1))
        var read: [String] = []
        for batch in leased {
            let portions = try await database.portions(of: batch)
            let users = portions.flatMap(\.users)
            #expect(portions.count == 1)
            #expect(users.count <= usersPerBatch)
            #expect(users.allSatisfy { $0.receipts.map(\.user) == [$0.user] })
            // In collation order from batch to batch, and in any order within one.
            let names = users.map(\.user.text)
            read += Self.inCollation.filter(names.contains)
            #expect(Set(names).count == users.count)
        }
        #expect(read == Array(all))
    }

    @Test("A run over an id that is not in the views, or has no user, is refused")
    func unknown() async throws {
        try await execute("insert into team.receipts (id) values ('nobodys')")
        let scope = Run.Scope.selected(users: ["nobody"], receipts: ["none", "nobodys"])
        let problems = [
            "There is no user “nobody” in the views.", "There is no receipt “none” in the views.",
            "The receipt “nobodys” has no user_id.",
        ]
        #expect(try await reason { try await plan(scope, 1) } == .notFound(problems))
    }

    @Test(
        "Batches get larger with the number of users, and are read through an index in that order",
        arguments: [
            (users: 0, atMost: 5, batches: 0), (250, 200, 3), (3001, 200, 21), (20_000, 200, 100),
            (7500, 50, 150),
        ])
    func sizes(users: Int, atMost: Int, batches: Int) async throws {
        try await execute(
            """
            insert into team.receipts (id, who, bundle, data, at)
            select n::text, 'user' || n, 'app', 'AAAA', now() from generate_series(1, \(users)) n;
            analyze team.receipts;
            """)
        let plan = try await plan(.everything, atMost)
        #expect(plan == OpenedRun.Plan(batches: batches, users: users, receipts: users))
        guard users == 20_000 else { return }
        let range = "from reconcile.stored_receipts where user_id between 'user5' and 'user51'"
        let explain = PostgresStatement.test("explain select receipt_id " + range)
        let steps = try await session().query(explain) { try $0.text("QUERY PLAN") }
        #expect(steps.contains { $0.contains("receipts_who_idx") })
    }

    private func plan(_ scope: Run.Scope, _ usersPerBatch: Int) async throws -> OpenedRun.Plan {
        let run = Run.test(scope: scope)
        try await open(run)
        let plan = try await database.planner.plan(scope, usersPerBatch: usersPerBatch)
        #expect(try await database.planner.cut(run, usersPerBatch: usersPerBatch) == plan)
        return plan
    }
}
