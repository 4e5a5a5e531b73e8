import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a number of attempts or of requests in flight; or further workers.
@Suite("A worker that cannot connect to Apple", .database, .hangLimit)
struct WorkerWithoutNetworkTests: DatabaseSuite {
    private func pass(maxAttempts: Int, inFlight: Int) async throws -> Pass {
        try await fill(users: 120)
        let closed = "http://127.0.0.1:\(try LoopbackSocket.closedPort())/"
        let apple = try ScriptedApple { [.valid($0)] }
        return try await Pass(database, apple, usersPerBatch: 50, inFlight: inFlight) {
            $0.productionURL = closed
            $0.maxAttempts = maxAttempts
            $0.outagePatience = .milliseconds(50)
        }
    }

    @Test(
        "It leaves everything to a live worker that is idle, and records nothing",
        arguments: [1, 3], [1, 16])
    func leaves(maxAttempts: Int, inFlight: Int) async throws {
        let pass = try await pass(maxAttempts: maxAttempts, inFlight: inFlight)
        _ = try await database.workers.register(in: pass.run.id, as: "idle")
        let own = try await connect(connections: 3)
        let error = await #expect(throws: WorkerCutOff.self) {
            try await pass.reconcile(over: own)
        }
        #expect(error?.description.hasPrefix("This worker cannot connect to Apple: ") == true)
        #expect(try await tally() == [:])
        await own.close()
    }

    @Test("While it waits for the end of what looks like an outage, it leaves as well")
    func leavesWhileWaiting() async throws {
        let pass = try await pass(maxAttempts: 1_000, inFlight: 16)
        _ = try await database.workers.register(in: pass.run.id, as: "idle")
        let own = try await connect(connections: 3)
        await #expect(throws: WorkerCutOff.self) { try await pass.reconcile(over: own) }
        #expect(try await tally() == [:])
        await own.close()
    }

    @Test("The last worker decides by its own requests")
    func last() async throws {
        let pass = try await pass(maxAttempts: 1, inFlight: 16)
        try await pass.reconcile()
        let tally = try await tally()
        #expect(tally.keys.allSatisfy { $0.isUnverified })
        #expect(tally.values.reduce(0, +) == 120)
    }

    @Test("Of several that cannot connect at least one stays, and decides")
    func oneStays() async throws {
        let pass = try await pass(maxAttempts: 1, inFlight: 4)
        let workers = [
            database, try await connect(connections: 3), try await connect(connections: 3),
        ]
        let stayed = await withTaskGroup(of: Bool.self) { group in
            for worker in workers {
                group.addTask { (try? await pass.reconcile(over: worker)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(stayed > 0)
        #expect(try await pass.summary().receipts[.unverified] == 120)
    }
}
