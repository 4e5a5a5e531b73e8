import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Findings and batch sizes", .timeLimit(.minutes(10)))
struct BatchIndependenceTests {
    @Test("Findings do not depend on the size of a batch or on the requests in flight")
    func independent() async throws {
        var nights: [[String]] = []
        for (usersPerBatch, inFlight) in [(1, 1), (3, 8), (100, 4)] {
            nights.append(try await night(usersPerBatch: usersPerBatch, inFlight: inFlight))
        }
        #expect(nights[0].count > 10)
        #expect(nights[1] == nights[0])
        #expect(nights[2] == nights[0])
    }

    private func night(usersPerBatch: Int, inFlight: Int) async throws -> [String] {
        try await TestDatabase.connected { test, database in
            for product in ["pro.monthly", "max.monthly"] { try await test.sell(product) }
            var random = SeededGenerator(5)
            var answers: [String: String] = [:]
            for number in 10..<24 {
                let user = "user\(number)"
                for receipt in 0..<Int.random(in: 1...2, using: &random) {
                    let id = "\(user)-\(receipt)"
                    try await test.store(receipt: id, of: user)
                    let isRefused = Int.random(in: 0..<8, using: &random) == 0
                    answers[TestDatabase.receipt(id)] =
                        isRefused ? AppleAnswer.status(21_010) : Self.answer(&random)
                }
                let product = Bool.random(using: &random) ? "pro.monthly" : "max.monthly"
                let isActive = Int.random(in: 0..<4, using: &random) > 0
                try await test.store(
                    entitlement: "e\(number)", of: user, to: product, isActive: isActive,
                    expires: "2026-12-10T02:00:00Z")
            }
            let script = answers
            let apple = try ScriptedApple { ask in
                [.reply(script[ask.receipt] ?? AppleAnswer.status(21_003))]
            }
            let pass = try await Pass(
                database, apple, usersPerBatch: usersPerBatch, inFlight: inFlight)
            try await pass.reconcile()
            let summary = try await pass.summary()
            let findings = try await test.texts(
                "select f::text from reconcile.finding as f order by finding_id")
            return findings.compactMap(\.self) + ["\(summary.entitlements)", "\(summary.receipts)"]
        }
    }

    /// One or two periods of some of nine chains, which users share.
    private static func answer(_ random: inout SeededGenerator) -> String {
        let periods = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            let chain = Int.random(in: 1...9, using: &random)
            let end = Double(chain * 7 % 40 - 12)
            let product = ["pro.monthly", "max.monthly", "x.monthly"][chain % 3]
            return AppleAnswer.period(
                "\(chain)", of: product, from: end - 30, to: end,
                cancelled: chain % 4 == 0 ? min(-2, end - 20) : nil)
        }
        return AppleAnswer.verified(periods)
    }
}
