import Testing

@testable import Reconcile
@testable import TestSupport

/// Serialized, since PostgreSQL limits the number of connections.
/// To add a case: a row with the percentage of requests that are refused wrongly, and the forged
/// receipts or the first request; or a range of requests.
@Suite("The second look during wrong refusals", .database, .serialized, .hangLimit)
struct StormTests: DatabaseSuite {
    /// Refuses this share of the requests with these numbers, from 1.
    private func storm(
        _ percent: Int, _ requests: ClosedRange<Int>, seed: UInt64 = 1, forged: Set<String> = []
    ) async throws -> Pass {
        let answered = Shared(0)
        let apple = try ScriptedApple { ask in
            let number = answered.update { $0 += 1 }
            if forged.contains(ask.receipt) { return [.status(21003)] }
            let other = UInt64(ask.lot) &* 7_919 &+ UInt64(ask.attempt) &* 104_729
            var random = SeededGenerator(seed &+ other)
            let isRefused = Int.random(in: 0..<100, using: &random) < percent
            guard isRefused, requests.contains(number) else { return [.valid(ask)] }
            return [.status(ask.lot % 2 == 0 ? 21003 : 21010)]
        }
        try await fill(users: 240)
        return try await Pass(database, apple, usersPerBatch: 50, inFlight: 16)
    }

    @Test(
        "If the refusals end by the second look, or during it, only forged receipts are rejected",
        arguments: [(5, 0), (45, 0), (100, 0), (45, 3), (100, 3)],
        [1...80, 81...160, 161...240, 200...255])
    func over(setting: (percent: Int, forged: Int), requests: ClosedRange<Int>) async throws {
        let numbers = [177, 7, 77].prefix(setting.forged)
        let forged = Set.receipts(numbers)
        let pass = try await storm(setting.percent, requests, forged: forged)
        try await pass.finish()
        let outcomes: [ReceiptOutcome: Int] = [
            .verified: 240 - forged.count, .rejected(.notAuthentic): forged.count,
        ]
        #expect(try await tally() == outcomes.filter { $0.value > 0 })
        let accused = try await findings().map(\.userID)
        #expect(Set(accused) == Set(numbers.map { "u\($0)" }))
        #expect(!pass.events.secondLooks.isEmpty || setting.percent == 5)
        // Apple verifies the others in the second look, so there is a third, and no fourth.
        let asks = pass.apple.asksByReceipt
        #expect(forged.allSatisfy { asks[$0] == 3 })
    }

    /// With some seeds a receipt is refused three times.
    private static let storms: [(percent: Int, first: Int, seed: UInt64)] =
        [5, 45, 100].flatMap { percent in [1, 121, 200, 241].map { (percent, $0, 1) } }
        + [3, 10, 11, 15, 53].map { (10, 1, $0) }

    @Test("If the refusals last, no receipt is rejected and no user is accused", arguments: storms)
    func lasting(percent: Int, first: Int, seed: UInt64) async throws {
        let receipts = try await storm(percent, first...Int.max, seed: seed).finish().receipts
        #expect(receipts[.rejected] == 0)
        #expect(receipts[.verified] + receipts[.unverified] == 240)
        #expect(try await findings() == [])
        let outcomes = Set(try await tally().keys)
        #expect(outcomes.isSubset(of: [.verified, .unverified(.refusalUnconfirmed)]))
    }
}
