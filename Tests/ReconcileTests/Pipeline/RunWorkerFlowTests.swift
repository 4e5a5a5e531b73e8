import Glibc
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Concurrency in a run", .timeLimit(.minutes(10)))
struct RunWorkerFlowTests {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "flo"]

    @Test("A slow receipt delays its own user and no other")
    func doesNotRunDry() async throws {
        try await Self.withUsers { test, database in
            let slow = TestDatabase.receipt("ann")
            let overtaken = Gate()
            let hasArrived = Gate()
            let apple = try ScriptedApple { ask in
                if ask.receipt == slow {
                    hasArrived.open()
                    overtaken.wait()
                }
                // The other of the first two requests must not be answered before the slow one
                // arrives.
                hasArrived.wait()
                return [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 1, inFlight: 2)
            async let reconciling = pass.reconcile()
            await apple.production.arrival(of: Self.users.count)
            overtaken.open()
            _ = try await reconciling
            #expect(Set(apple.asks.map(\.receipt)).count == Self.users.count)
            #expect(apple.asks.prefix(2).contains { $0.receipt == slow })
            #expect(try await pass.outcomes(test).count == Self.users.count)
        }
    }

    @Test("Exactly as many requests are in flight as --in-flight allows", arguments: [1, 3])
    func bound(inFlight: Int) async throws {
        try await Self.withUsers { _, database in
            let inFlightNow = Shared(0)
            let most = Shared(0)
            let full = Gate()
            let apple = try ScriptedApple { _ in
                let now = inFlightNow.update { $0 += 1 }
                most.update { $0 = max($0, now) }
                if now == inFlight { full.open() }
                full.wait()
                inFlightNow.update { $0 -= 1 }
                return [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 2, inFlight: inFlight)
            try await pass.reconcile()
            #expect(most.current == inFlight)
            #expect(try await pass.summary().receipts.verified == Self.users.count)
        }
    }

    @Test("After --max-runtime no request starts, and the rest is recorded as unverified")
    func deadline() async throws {
        // A busy machine may be too slow for the first request: then the test allows more time.
        for seconds in [2, 10, 40] where try await asksOnce(before: .seconds(seconds)) { return }
        Issue.record("nothing was asked within 40 s")
    }

    /// False when not even the first request was sent before the deadline.
    private func asksOnce(before allowance: Duration) async throws -> Bool {
        let asked = Shared(0)
        try await Self.withUsers { test, database in
            let deadline = ContinuousClock.now + allowance
            let apple = try ScriptedApple { _ in
                // The first answer comes too late for another request.
                while ContinuousClock.now < deadline { sched_yield() }
                return [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, inFlight: 1, deadline: deadline) {
                $0.timeout = .seconds(50)
            }
            try await pass.reconcile()
            asked.update { $0 = apple.asks.count }
            guard apple.asks.count > 0 else { return }
            #expect(apple.asks.count == 1)
            let outcomes = try await pass.outcomes(test).map {
                $0.split(separator: " ").dropFirst()
            }
            #expect(outcomes.count { $0 == ["verified", "1"] } == 1)
            #expect(outcomes.count { $0 == ["unverified", "deadline", "0"] } == 5)
            #expect(try await pass.summary().receipts.unverified == 5)
        }
        return asked.current > 0
    }

    @Test("Users with large receipts are not read before earlier users are judged")
    func largeReceipts() async throws {
        try await TestDatabase.connected { test, database in
            let padding = String(repeating: " ", count: 9 << 20)
            for user in Self.users {
                try await test.store(
                    receipt: user, of: user, data: .text(TestDatabase.receipt(user) + padding))
            }
            let judged = Gate()
            let apple = try ScriptedApple { _ in
                judged.wait()
                return [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 1, inFlight: 6) {
                // The first request waits for its answer until the fourth has arrived.
                $0.timeout = .seconds(600)
                $0.receiptDeadline = .seconds(900)
            }
            async let reconciling: Void = pass.reconcile()
            await apple.production.arrival(of: 4)
            // The fifth user has been read and waits; the sixth is not read.
            let leased = try await test.texts(
                "select count(*) <= 5 from reconcile.batch where lease > 0")
            #expect(leased == ["t"])
            judged.open()
            try await reconciling
            #expect(try await pass.summary().receipts.verified == Self.users.count)
        }
    }

    @Test("Nothing is requested after --max-runtime")
    func tooLate() async throws {
        try await Self.withUsers { test, database in
            let apple = try ScriptedApple(status: 0)
            let pass = try await Pass(database, apple, usersPerBatch: 4, deadline: .now)
            try await pass.reconcile()
            let outcomes = try await pass.outcomes(test)
            #expect(outcomes.count { $0.hasSuffix(" unverified deadline 0") } == outcomes.count)
            #expect(outcomes.count == Self.users.count)
            #expect(apple.asks.isEmpty)
            #expect(try await pass.summary().requests.sent == 0)
        }
    }

    @Test("A cancelled worker ends at once, keeps what is recorded and releases its leases")
    func cancellation() async throws {
        try await Self.withUsers { test, database in
            let slow = Set(["cyd", "dan", "eve", "flo"].map { TestDatabase.receipt($0) })
            let apple = try ScriptedApple { ask in
                slow.contains(ask.receipt) ? [.stall] : [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 2, inFlight: 2)
            let reconciling = Task { try await pass.reconcile() }
            await apple.production.arrival(of: 4)
            reconciling.cancel()
            await #expect(throws: (any Error).self) { _ = try await reconciling.value }
            #expect(apple.production.requests.count == 4)
            // Cyd and Dan are requested after Ann and Bob were handed over.
            let recorded = try await test.texts(
                "select receipt_id from reconcile.outcome order by 1")
            #expect(recorded == ["ann", "bob"])
            let open = try await test.texts(
                "select worker_no from reconcile.batch where done_at is null")
            #expect(open == [nil, nil])
            let error = await #expect(throws: ControlsError.self) { try await pass.summary() }
            #expect(error?.description.contains("batches that are not done: 2 and 0") == true)
        }
    }

    static func withUsers(
        _ body: (TestDatabase, Database) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            for user in users { try await test.store(receipt: user, of: user) }
            try await body(test, database)
        }
    }
}
