import Testing

@testable import Reconcile
@testable import TestSupport

@Suite(
    "A killed run with refused receipts", .database, .serialized, .timeLimit(.minutes(10)))
struct KillTests: DatabaseSuite {
    private static let users = 60

    /// A request whose number is among `stops` is never answered.
    private func pass(
        _ night: Int, stoppingAt stops: [Int] = []
    ) async throws -> (Pass, ScriptedApple) {
        let forged = Set.receipts([6, 16, 26, 36, 46])
        let gone = Set.receipts([9, 39])
        let answered = Shared(0)
        let apple = try ScriptedApple { ask in
            if stops.contains(answered.update { $0 += 1 }) { return [.stall] }
            if forged.contains(ask.receipt) { return [.status(21003)] }
            return [gone.contains(ask.receipt) ? .status(21010) : .valid(ask)]
        }
        return (try await Pass(database, apple, usersPerBatch: 20, night: night), apple)
    }

    /// Every column of the rows that the reports are made of, but the run's id.
    private func reportRows(of pass: Pass) async throws -> [String?] {
        let id = pass.run.id
        let rows = ["finding", "outcome"].rows { table in
            "replace('\(table) ' || \(table)::text, '\(id)', ''), run_id as run"
        }
        return try await texts(
            "select value from (\(rows)) as r (value, run) where run = '\(id)' order by 1")
    }

    /// The report rows of a run that is not killed.
    private func uninterrupted() async throws -> [String?] {
        try await fill(users: Self.users)
        let (pass, apple) = try await pass(1)
        let summary = try await pass.finish()
        // The second look has the refused receipts, ten controls and a quarter more.
        #expect(apple.asks.count == Self.users + 7 + 12)
        #expect(summary.requests.sent == apple.asks.count)
        let rows = try await reportRows(of: pass)
        // The two receipts of deleted accounts accuse no user.
        #expect(rows.count == Self.users + 7 + 5)
        return rows + ["\(summary.receipts)", "\(summary.entitlements)"]
    }

    @Test(
        "A kill before, during or after the second look changes no byte of the report rows",
        arguments: [
            [1], [20, 21, 22], [45], [60], [61], [62], [66], [70], [75], [79], [80],
            [30, 50, 65, 85], [61, 65, 69, 73, 77, 81, 85],
        ])
    func killed(stops: [Int]) async throws {
        let expected = try await uninterrupted()
        let (pass, apple) = try await pass(2, stoppingAt: stops)
        for stop in stops {
            let victim = try await Victim(of: pass, in: self, inFlight: 4)
            await victim.work(untilArrivalOf: stop, at: apple)
            await victim.kill()
        }
        let summary = try await pass.finish()
        let rows = try await reportRows(of: pass)
        #expect(rows + ["\(summary.receipts)", "\(summary.entitlements)"] == expected)
    }

    @Test("A group whose lease expired in the second look is taken over by another worker")
    func takenOver() async throws {
        let expected = try await uninterrupted()
        // The first request of the second look is not answered until the run is over.
        let (pass, apple) = try await pass(2, stoppingAt: [Self.users + 1])
        let slow = Task { try await pass.reconcile() }
        await apple.production.arrival(of: Self.users + 1)
        // A group has no lease until it is leased, and a new one when another worker takes it over.
        try await execute(
            "update reconcile.batch set leased_until = now() - interval '1 s' where look = 2")
        try await pass.reconcile(over: try await connect(connections: 3), inFlight: 2)
        let summary = try await pass.summary()
        let rows = try await reportRows(of: pass)
        #expect(rows + ["\(summary.receipts)", "\(summary.entitlements)"] == expected)
        slow.cancel()
        _ = await slow.result
        #expect(try await reportRows(of: pass) == rows)
    }

    @Test("Several workers share the first and the second look")
    func shared() async throws {
        try await fill(users: 300)
        let refused = Set.receipts((1...150).map { $0 * 2 })
        let gate = Gate()
        let apple = try ScriptedApple { ask in
            // The second look waits until both workers have a group of it.
            if ask.attempt > 1 { gate.wait() }
            return [refused.contains(ask.receipt) ? .status(21003) : .valid(ask)]
        }
        let pass = try await Pass(database, apple, usersPerBatch: 50)
        let other = try await connect(connections: 3)
        async let first: Void = pass.reconcile()
        async let second: Void = pass.reconcile(over: other, inFlight: 2)
        try await wait(
            until: """
                select count(distinct worker_no) from reconcile.batch
                where look = 2 and leased_until is not null
                """, is: ["2"])
        gate.open()
        _ = try await (first, second)
        let summary = try await pass.summary()
        #expect(try await tally() == ["verified": 150, "rejected not_authentic": 150])
        #expect(refused.allSatisfy { apple.asksByReceipt[$0] == 2 })
        #expect(pass.told("secondLook") == ["secondLook(users: 150, groups: 2)"])
        #expect(summary.requests.sent == apple.asks.count)
    }
}
