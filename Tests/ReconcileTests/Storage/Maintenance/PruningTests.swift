internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Pruning", .database)
struct PruningTests: DatabaseSuite {
    @Test("Old runs are removed, but not the last run and not an open run")
    func before() async throws {
        try await spend("1", at: 10)
        try await spend("2", at: 20)
        try await spend("3", at: 30, scope: .limited(users: 1))
        try await open(.test("4"))
        let pruned = try await database.pruning.prune(before: Instant(milliseconds: 31))
        #expect(pruned == Pruned(runs: 2, answers: 2, outcomes: 2, findings: 2))
        let runs = "select run_id || (pruned_at is not null) from reconcile.run order by run_id"
        #expect(try await texts(runs) == ["1true", "2false", "3true", "4false"])
        let tables = JudgedUser.tables + ["second_look", "batch"]
        let left = try await texts(tables.rows { "'\($0) ' || run_id" })
        #expect(left == tables.map { "\($0) 2" })
        #expect(try await database.pruning.prune(before: Instant(milliseconds: 31)).runs == 0)
        let error = try await databaseError {
            try await database.runs.replayable(RunID(text: "1"))
        }
        #expect(error.description.contains("were pruned"))
    }

    @Test("The run that was published last stays, even if its id is smaller")
    func smallerID() async throws {
        try await spend("2", at: 10)
        try await spend("1", at: 20)
        #expect(try await database.pruning.prune(before: Instant(milliseconds: 31)).runs == 1)
        let whole = "select run_id from reconcile.run where pruned_at is null"
        #expect(try await texts(whole) == ["1"])
    }

    @Test("Everything about a user is removed, and nothing about others")
    func user() async throws {
        try await spend("1", at: 10)
        try await execute(
            """
            insert into reconcile.acceptance (finding_id, user_id, accepted_by, reason)
            values (md5('a')::uuid, 'ann', 'eve', 'known')
            """)
        #expect(try await database.pruning.prune(user: "bob") == Pruned())
        let tables = JudgedUser.tables + ["second_look", "ledger", "acceptance"]
        let before = try await texts(tables.rows { "'\($0)'" })
        #expect(Set(before.compactMap(\.self)) == Set(tables))
        let pruned = try await database.pruning.prune(user: "ann")
        #expect(pruned == Pruned(answers: 1, outcomes: 1, findings: 1))
        // The sighting of the product names no user.
        #expect(try await texts(tables.rows { "'\($0)'" }) == ["sighted_product"])
        #expect(try await texts("select users from reconcile.sighted_product") == ["1"])
    }

    @Test("The state of an open run about a user is not removed")
    func openRun() async throws {
        try await spend("1", at: nil)
        #expect(try await database.pruning.prune(user: "ann") == Pruned())
        #expect(try await database.pruning.prune(before: .distantFuture) == Pruned())
        let kept = try await texts(["evidence", "user_result"].rows { _ in "user_id" })
        #expect(kept == ["ann", "ann"])
    }

    /// A published run of one user with a row in every table; without an end it is open.
    private func spend(_ id: String, at end: Int64?, scope: RunScope = .everything) async throws {
        let run = Run.test(id, scope: scope)
        _ = try await database.runs.open(run, codeVersion: "1", settings: "{}", keeping: .all)
        try await execute(
            """
            insert into reconcile.batch (run_id, batch_no, first_user, last_user, users)
            values ('\(id)', 1, 'a', 'z', 1)
            """)
        let batch = try #require(try await database.leasedBatches(of: run).first)
        let user = JudgedUser.full(
            outcomes: [.test("r1", .rejected(.accountGone))],
            evidence: .test(1, .rejected(.accountGone), body: "body \(id)"), unjudged: "a")
        let postponed = BatchFlush.test(batch, postponing: .test(refused: "r1"), isDone: false)
        _ = try await database.results.record([postponed], of: run)
        _ = try await database.results.record([.test(batch, user)], of: run)
        guard let end else { return }
        try await database.ledger.publish(run.id, at: Instant(milliseconds: end), under: nil)
    }
}
