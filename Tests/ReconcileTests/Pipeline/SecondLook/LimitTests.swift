import Glibc
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Limits of the second look", .timeLimit(.minutes(10)))
struct LimitTests {
    @Test("Refusals that --max-runtime leaves without a second look are unverified, never rejected")
    func deadline() async throws {
        // A busy machine may be too slow for the second look: then the test allows more time.
        for seconds in [4, 15, 60] where try await ends(within: .seconds(seconds)) { return }
        Issue.record("the second look did not begin within 60 s")
    }

    /// False when the deadline passed in the first look.
    private func ends(within allowance: Duration) async throws -> Bool {
        let isInSecondLook = Shared(false)
        try await SecondLookScene.with(users: 60) { scene in
            let deadline = ContinuousClock.now + allowance
            let refused = SecondLookScene.receipts((1...30).map { $0 * 2 })
            let apple = try ScriptedApple { ask in
                if ask.attempt > 1 {
                    isInSecondLook.update { $0 = true }
                    // The first answers of the second look come too late for more requests.
                    while ContinuousClock.now < deadline { usleep(10_000) }
                }
                return refused.contains(ask.receipt)
                    ? [.reply(AppleAnswer.status(21003))] : [OutageScene.valid(ask)]
            }
            // The patience is longer than the run: the third look comes early.
            let pass = try await Pass(
                scene.database, apple, inFlight: 4, deadline: deadline, patience: .seconds(600)
            ) {
                // An answer that is held back is not requested again.
                $0.timeout = .seconds(300)
                $0.receiptDeadline = .seconds(600)
            }
            try await pass.reconcile()
            guard isInSecondLook.current else { return }
            let summary = try await pass.summary()
            #expect(
                try await scene.outcomes() == ["verified": 30, "unverified deadline": 30])
            #expect(try await pass.findings(scene.test) == [])
            #expect(try await scene.database.reports.wentPastMaxRuntime(pass.run.id))
            #expect(apple.asks.count <= 64 && summary.requests.sent == apple.asks.count)
        }
        return isInSecondLook.current
    }

    @Test("A user with many receipts is requested in parallel, within --in-flight")
    func manyReceipts() async throws {
        try await TestDatabase.connected { test, database in
            for number in 1...50 { try await test.store(receipt: "r\(number)", of: "ann") }
            let refused = SecondLookScene.receipts(1...20)
            let now = Shared(0)
            let most = Shared(0)
            let full = Gate()
            let apple = try ScriptedApple { ask in
                let count = now.update { $0 += 1 }
                most.update { $0 = max($0, count) }
                if count == 8 { full.open() }
                full.wait()
                now.update { $0 -= 1 }
                return refused.contains(ask.receipt)
                    ? [.reply(AppleAnswer.status(21003))] : [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, inFlight: 8)
            try await pass.reconcile()
            #expect(most.current == 8)
            let receipts = try await pass.summary().receipts
            #expect(receipts.verified == 30 && receipts.rejected == 20)
            // No other receipt is verified, and the receipts of a put-off user are no controls.
            #expect(apple.asks.count == 100)
        }
    }

    @Test("A user without an answer in the second look is unverified, and the others are decided")
    func unansweredUser() async throws {
        try await SecondLookScene.with(users: 40) { scene in
            let forged = SecondLookScene.receipts([5, 15, 25])
            let silent = SecondLookScene.receipts([7])
            let apple = try ScriptedApple { ask in
                if silent.contains(ask.receipt), ask.attempt > 1 { return [.reset] }
                return forged.union(silent).contains(ask.receipt)
                    ? [.reply(AppleAnswer.status(21003))] : [OutageScene.valid(ask)]
            }
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            _ = try await pass.summary()
            #expect(
                try await scene.outcomes() == [
                    "verified": 36, "rejected not_authentic": 3,
                    "unverified connection_failed": 1,
                ])
        }
    }

    @Test("The counted requests are those that Apple received, of both looks and all controls")
    func requests() async throws {
        try await SecondLookScene.with(users: 80) { scene in
            let forged = SecondLookScene.receipts([10, 20, 30])
            let answered = Shared<[Int: Int]>([:])
            let isControlRefused = Shared(false)
            let apple = try ScriptedApple { ask in
                var status = forged.contains(ask.receipt) ? 21003 : 0
                if ask.lot % 4 == 0, ask.environment == .production { status = 21007 }
                if status == 0, ask.lot % 11 == 0, ask.attempt == 1 { status = 21005 }
                if status == 0, ask.attempt > 2 {
                    isControlRefused.update { isRefused in
                        if !isRefused { status = 21010 }
                        isRefused = true
                    }
                }
                let final = status
                answered.update { $0[final, default: 0] += 1 }
                guard status == 0 else { return [.reply(AppleAnswer.status(status))] }
                return [.reply(AppleAnswer.verified(environment: ask.environment))]
            }
            let pass = try await Pass(scene.database, apple)
            try await pass.reconcile()
            let requests = try await pass.summary().requests
            #expect(requests.sent == apple.asks.count)
            #expect(requests.production == apple.production.requests.count)
            #expect(requests.sandbox == apple.sandbox.requests.count)
            #expect(requests.byStatus == answered.current)
            #expect(requests.byHTTPStatus == [200: apple.asks.count])
            #expect(requests.retries == answered.current[21005])
        }
    }
}
