import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A resumed run", .database, .timeLimit(.minutes(10)))
struct ResumeTests: DatabaseSuite {
    private static let users = (1...24).map { "user\($0 + 100)" }

    /// Verifies this many receipts, and then answers nothing.
    private func apple(
        stoppingAfter limit: Shared<Int>, refusing refused: Set<String> = []
    ) throws -> ScriptedApple {
        let asked = Shared(0)
        return try ScriptedApple { ask in
            guard asked.update({ $0 += 1 }) <= limit.current else { return [.stall] }
            return [refused.contains(ask.receipt) ? .status(21003) : .verified()]
        }
    }

    /// Stops a worker when `count` requests have arrived.
    private func stop(_ pass: Pass, _ apple: ScriptedApple, after count: Int) async {
        let work = Task { try await pass.reconcile() }
        await apple.production.arrival(of: count)
        work.cancel()
        await #expect(throws: (any Error).self) { try await work.value }
    }

    @Test(
        "A stopped worker keeps what is recorded, and no recorded user is requested again",
        arguments: [1, 7, 13, 20])
    func asksNoneAgain(stopAfter: Int) async throws {
        try await storeReceipts(of: Self.users)
        let limit = Shared(stopAfter)
        let apple = try apple(stoppingAfter: limit)
        let pass = try await Pass(database, apple, usersPerBatch: 5, inFlight: 3)
        await stop(pass, apple, after: stopAfter + 1)
        let recorded = try await texts("select user_id from reconcile.user_result")
        // All users except those in flight.
        #expect(recorded.count >= stopAfter - 2)
        let workers = "select distinct worker_no from reconcile.batch where done_at is null"
        #expect(try await texts(workers) == [nil])
        await #expect(throws: ControlsError.self) { try await pass.summary() }
        let asked = apple.asks.count
        #expect(asked <= stopAfter + 3)
        limit.update { $0 = .max }
        let summary = try await pass.finish()
        let again = Set(apple.asks.dropFirst(asked).map(\.receipt))
        #expect(recorded.allSatisfy { !again.contains(TestDatabase.receipt($0 ?? "")) })
        #expect(again.count == Self.users.count - recorded.count)
        #expect(summary.receipts.verified == Self.users.count)
        #expect(summary.requests.sent == Self.users.count)
    }

    @Test("A user who was put off is requested again only in the second look")
    func postponed() async throws {
        try await storeReceipts(of: (101...250).map { "user\($0)" })
        let refused = Set(["user103", "user104", "user120"].map { TestDatabase.receipt($0) })
        let limit = Shared(60)
        let apple = try apple(stoppingAfter: limit, refusing: refused)
        let pass = try await Pass(database, apple, usersPerBatch: 40, inFlight: 3)
        await stop(pass, apple, after: 61)
        let postponed = "select user_id from reconcile.second_look order by 1"
        #expect(try await list(postponed) == "user103, user104, user120")
        limit.update { $0 = .max }
        let receipts = try await pass.finish().receipts
        #expect(refused.allSatisfy { apple.asksByReceipt[$0] == 2 })
        #expect(receipts.rejected == 3 && receipts.verified == 147)
    }

    @Test("Several workers share the run, and no receipt is requested twice", arguments: [2, 4])
    func together(workers: Int) async throws {
        try await storeReceipts(of: Self.users)
        let apple = try ScriptedApple.verifying()
        let pass = try await Pass(database, apple, usersPerBatch: 2, inFlight: 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1..<workers {
                let other = try await connect(connections: 3)
                group.addTask { try await pass.reconcile(over: other) }
            }
            try await pass.reconcile()
            try await group.waitForAll()
        }
        #expect(apple.asks.count == Self.users.count)
        #expect(try await pass.summary().receipts.verified == Self.users.count)
    }

    @Test("A batch that ended its workers is skipped after five attempts", arguments: [4, 5, 7])
    func skipped(attempts: Int) async throws {
        try await storeReceipts(of: Self.users)
        let apple = try ScriptedApple.verifying()
        let pass = try await Pass(database, apple, usersPerBatch: 5)
        try await execute(
            """
            update reconcile.batch set attempts = \(attempts), lease = \(attempts)
            where batch_no = 1
            """)
        let summary = try await pass.finish()
        let isSkipped = attempts >= 5
        let verified = isSkipped ? 19 : 24
        #expect(summary.receipts.verified == verified && apple.asks.count == verified)
        #expect(
            try await tally()
                == (isSkipped
                    ? ["verified": 19, "unverified batch_set_aside": 5] : ["verified": 24]))
        #expect(
            pass.told("warning").contains { $0.contains("attempts in a row ended") } == isSkipped)
    }

    @Test("A batch that makes progress is never skipped, however often its workers are killed")
    func progress() async throws {
        try await storeReceipts(of: Self.users)
        let limit = Shared(0)
        let apple = try apple(stoppingAfter: limit)
        let pass = try await Pass(database, apple)
        #expect(pass.plan.batches == 1)
        for kill in 1...10 {
            // Two more users are recorded, and the third ends the worker.
            limit.update { $0 = 3 * kill - 1 }
            let victim = try await Victim(of: pass, in: self, inFlight: 1)
            try await wait(
                until: "select count(*) from reconcile.user_result", is: ["\(2 * kill)"])
            await apple.production.arrival(of: 3 * kill)
            await victim.kill()
        }
        limit.update { $0 = .max }
        #expect(try await pass.finish().receipts.verified == Self.users.count)
        #expect(pass.told("warning").isEmpty)
    }

    @Test("A batch is not skipped because its workers were stopped")
    func stopped() async throws {
        try await storeReceipts(of: Self.users)
        let limit = Shared(0)
        let apple = try apple(stoppingAfter: limit)
        let pass = try await Pass(database, apple, inFlight: 1)
        for count in 1...6 { await stop(pass, apple, after: count) }
        limit.update { $0 = .max }
        #expect(try await pass.finish().receipts.verified == Self.users.count)
        #expect(pass.told("warning").isEmpty)
    }

    @Test("A batch of which no user is ever recorded is skipped after five kills")
    func noProgress() async throws {
        try await storeReceipts(of: Self.users)
        let apple = try apple(stoppingAfter: Shared(0))
        let pass = try await Pass(database, apple)
        for kill in 1...5 {
            let victim = try await Victim(of: pass, in: self, inFlight: 1)
            await apple.production.arrival(of: kill)
            await victim.kill()
        }
        #expect(try await pass.finish().receipts.unverified == Self.users.count)
        #expect(apple.asks.count == 5)
    }
}
