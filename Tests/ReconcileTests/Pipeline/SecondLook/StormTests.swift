import Testing

@testable import Reconcile
@testable import TestSupport

/// Apple refuses genuine receipts. Serialized, since PostgreSQL limits the number of connections.
@Suite(
    "The second look while Apple wrongly refuses receipts", .database, .serialized,
    .timeLimit(.minutes(10)))
struct StormTests: DatabaseSuite {
    private static let users = 240

    /// Refuses this share of the requests with these numbers, from 1.
    private func storm(
        _ percent: Int, _ requests: ClosedRange<Int>, seed: UInt64 = 1, forged: Set<String> = []
    ) throws -> ScriptedApple {
        let answered = Shared(0)
        return try ScriptedApple { ask in
            let number = answered.update { $0 += 1 }
            if forged.contains(ask.receipt) { return [.status(21003)] }
            guard requests.contains(number) else { return [.valid(ask)] }
            let other = UInt64(ask.lot) &* 7_919 &+ UInt64(ask.attempt) &* 104_729
            var random = SeededGenerator(seed &+ other)
            let isRefused = Int.random(in: 0..<100, using: &random) < percent
            return [isRefused ? .status(ask.lot % 2 == 0 ? 21003 : 21010) : .valid(ask)]
        }
    }

    private func pass(_ apple: ScriptedApple) async throws -> (Pass, RunSummary) {
        try await fill(users: Self.users)
        let pass = try await Pass(database, apple, usersPerBatch: 50, inFlight: 16)
        return (pass, try await pass.finish())
    }

    @Test(
        "If the refusals end by the second look, or during it, every receipt is verified",
        arguments: [5, 45, 100], [1...80, 81...160, 161...240, 200...255])
    func over(percent: Int, requests: ClosedRange<Int>) async throws {
        let apple = try storm(percent, requests)
        let (pass, summary) = try await pass(apple)
        #expect(try await tally() == ["verified": Self.users])
        #expect(try await findings() == "")
        #expect(summary.requests.sent == apple.asks.count)
        #expect(!pass.told("secondLook").isEmpty || percent == 5)
    }

    /// With some seeds a receipt is refused three times.
    private static let storms: [(percent: Int, first: Int, seed: UInt64)] =
        [5, 45, 100].flatMap { percent in [1, 121, 200, 241].map { (percent, $0, 1) } }
        + [3, 10, 11, 15, 53].map { (10, 1, $0) }

    @Test("If the refusals continue, no receipt is rejected, no user accused", arguments: storms)
    func lasting(percent: Int, first: Int, seed: UInt64) async throws {
        let apple = try storm(percent, first...Int.max, seed: seed)
        let summary = try await pass(apple).1
        #expect(summary.receipts.rejected == 0)
        #expect(summary.receipts.verified + summary.receipts.unverified == Self.users)
        #expect(try await findings() == "")
        #expect(summary.requests.sent == apple.asks.count)
        let outcomes = Set(try await tally().keys)
        #expect(outcomes.isSubset(of: ["verified", "unverified refusal_unconfirmed"]))
    }

    @Test("A forged receipt is found though genuine ones were refused in the first look")
    func forgedAmongGenuine() async throws {
        let forged = Set.receipts([7, 77, 177])
        let apple = try storm(45, 1...120, seed: 2, forged: forged)
        _ = try await pass(apple)
        #expect(try await tally() == ["verified": Self.users - 3, "rejected not_authentic": 3])
        // Apple verifies the others in the third look, and there is no fourth.
        #expect(forged.allSatisfy { apple.asksByReceipt[$0] == 3 })
    }

    @Test(
        "Wrong refusals of one server accuse no user, though the other verifies every receipt",
        arguments: StoreEnvironment.allCases, [21003, 21010])
    func oneServer(stormy: StoreEnvironment, status: Int) async throws {
        try await fill(users: 60)
        let ofSandbox = Set.receipts(1...30)
        let apple = try ScriptedApple { ask in
            if ask.environment == .production, ofSandbox.contains(ask.receipt) {
                return [.status(21007)]
            }
            guard ask.environment != stormy else { return [.status(status)] }
            return [.reply(AppleAnswer.verified(environment: ask.environment))]
        }
        try await Pass(database, apple).finish()
        #expect(try await tally() == ["verified": 30, "unverified refusal_unconfirmed": 30])
    }
}
