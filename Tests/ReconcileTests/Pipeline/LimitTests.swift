import Testing

@testable import Reconcile
@testable import TestSupport

/// `--max-runtime` and `--in-flight`.
@Suite("Limits of a run", .database, .timeLimit(.minutes(10)))
struct LimitTests: DatabaseSuite {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "flo"]

    @Test("After --max-runtime no request starts, and the rest is recorded as unverified")
    func deadline() async throws {
        try await storeReceipts(of: Self.users)
        // A busy machine may be too slow for the first request: then the test allows more time.
        for (night, seconds) in [(1, 2), (2, 10), (3, 40)] {
            let deadline = ContinuousClock.now + .seconds(seconds)
            // The first answer comes too late for another request.
            let apple = try ScriptedApple { _ in
                Gate.blocking { try await Task.sleep(until: deadline) }
                return [.verified()]
            }
            let pass = try await Pass(
                database, apple, inFlight: 1, night: night, deadline: deadline)
            let summary = try await pass.finish()
            guard !apple.asks.isEmpty else { continue }
            #expect(apple.asks.count == 1)
            let outcomes = try await outcomes(of: pass.run.id)
            #expect(outcomes.matches(of: /verified 1/).count == 1)
            #expect(outcomes.matches(of: /unverified deadline 0/).count == 5)
            #expect(summary.receipts.unverified == 5)
            return
        }
        Issue.record("nothing was asked within 40 s")
    }

    @Test("Nothing is requested after --max-runtime")
    func tooLate() async throws {
        try await storeReceipts(of: Self.users)
        let apple = try ScriptedApple(status: 0)
        let pass = try await Pass(database, apple, usersPerBatch: 4, deadline: .now)
        #expect(try await pass.finish().requests.sent == 0)
        #expect(apple.asks.isEmpty)
        #expect(try await tally() == ["unverified deadline": Self.users.count])
    }

    @Test("Refusals that --max-runtime leaves without a second look are unverified, never rejected")
    func secondLook() async throws {
        try await fill(users: 60)
        let refused = Set.receipts((1...30).map { $0 * 2 })
        // A busy machine may be too slow for the second look: then the test allows more time.
        for (night, seconds) in [(1, 4), (2, 15), (3, 60)] {
            let deadline = ContinuousClock.now + .seconds(seconds)
            let apple = try ScriptedApple { ask in
                if ask.attempt > 1 {
                    // The first answers of the second look come too late for more requests.
                    Gate.blocking { try await Task.sleep(until: deadline) }
                }
                return [refused.contains(ask.receipt) ? .status(21003) : .valid(ask)]
            }
            // The patience is longer than the run: the third look comes early.
            let pass = try await Pass(
                database, apple, inFlight: 4, night: night, deadline: deadline,
                patience: .seconds(600)
            ) {
                // An answer that is held back is not requested again.
                $0.timeout = .seconds(300)
                $0.receiptDeadline = .seconds(600)
            }
            let summary = try await pass.finish()
            guard apple.asks.contains(where: { $0.attempt > 1 }) else { continue }
            #expect(summary.receipts.verified == 30 && summary.receipts.unverified == 30)
            #expect(
                try await outcomes(of: pass.run.id).matches(of: /unverified deadline/).count
                    == 30)
            #expect(try await findings() == "")
            #expect(try await database.reports.wentPastMaxRuntime(pass.run.id))
            #expect(apple.asks.count <= 64 && summary.requests.sent == apple.asks.count)
            return
        }
        Issue.record("the second look did not begin within 60 s")
    }

    /// Verifies once `count` requests are in flight, and counts how many are at most.
    private func full(
        at count: Int, refusing refused: Set<String> = []
    ) throws -> (ScriptedApple, most: Shared<Int>) {
        let now = Shared(0)
        let most = Shared(0)
        let full = Gate()
        let apple = try ScriptedApple { ask in
            let inFlight = now.update { $0 += 1 }
            most.update { $0 = max($0, inFlight) }
            if inFlight == count { full.open() }
            full.wait()
            now.update { $0 -= 1 }
            return [refused.contains(ask.receipt) ? .status(21003) : .verified()]
        }
        return (apple, most)
    }

    @Test("Exactly as many requests are in flight as --in-flight allows", arguments: [1, 3])
    func bound(inFlight: Int) async throws {
        try await storeReceipts(of: Self.users)
        let (apple, most) = try full(at: inFlight)
        let pass = try await Pass(database, apple, usersPerBatch: 2, inFlight: inFlight)
        #expect(try await pass.finish().receipts.verified == Self.users.count)
        #expect(most.current == inFlight)
    }

    @Test("A user with many receipts is requested in parallel, within --in-flight")
    func manyReceipts() async throws {
        try await storeReceipts((1...50).map { (id: "r\($0)", user: "ann") })
        let (apple, most) = try full(at: 8, refusing: .receipts(1...20))
        let receipts = try await Pass(database, apple, inFlight: 8).finish().receipts
        #expect(most.current == 8)
        #expect(receipts.verified == 30 && receipts.rejected == 20)
        // No other receipt is verified, and the receipts of a put-off user are no controls.
        #expect(apple.asks.count == 100)
    }
}
