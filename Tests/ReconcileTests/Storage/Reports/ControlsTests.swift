internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Controls of the second look", .database)
struct ControlsTests: DatabaseSuite {
    @Test("Controls are drawn from a point on, and wrap around at the end")
    func wrapAround() async throws {
        try await recordOutcomes()
        let order = """
            from reconcile.outcome where outcome = 'verified' and environment = 'Production'
            order by md5(receipt_id)
            """
        let ids = try await texts("select receipt_id " + order)
        let places = try await texts("select md5(receipt_id) " + order).compactMap(\.self)
        #expect(ids.count == 30)
        for (point, count, start) in [
            (places[0], 12, 0), (places[1], 12, 1), (places[17], 12, 17), (places[29], 12, 29),
            (String(repeating: "f", count: 32), 5, 0), (places[7], 99, 7),
        ] {
            let drawn = try await controls(from: point, count: count).map(\.id.text)
            #expect(drawn == (0..<min(count, 30)).map { ids[(start + $0) % 30] })
        }
    }

    @Test("Controls are receipts that this run's server verified, as they are stored by now")
    func verifiedByServer() async throws {
        try await recordOutcomes()
        try await execute(
            "update team.receipts set data = 'NEW', bundle = 'other' where id like 'p%'")
        let controls = try await controls()
        #expect(Set(controls.map(\.id.text)) == Set((1...30).map { "p\($0)" }))
        for control in controls {
            #expect(control.data.text == Array("NEW".utf8) && control.bundle == "other")
            #expect(control.user == "ann")
        }
        let sandbox = try await self.controls(by: .sandbox)
        #expect(Set(sandbox.map(\.id.text)) == Set((1...10).map { "s\($0)" }))
        #expect(try await self.controls(of: RunID(text: "other")).isEmpty)
    }

    @Test(
        "A receipt that is gone, changed its user, is invalid or too large is not a control",
        arguments: [
            "delete from team.receipts", "update team.receipts set who = 'bob'",
            "update team.receipts set who = null", "update team.receipts set bundle = null",
            "update team.receipts set data = null",
            "update team.receipts set data = repeat('A', 4194305)",
        ])
    func leftOut(change: String) async throws {
        try await recordOutcomes()
        try await execute(change + " where id = 'p7'")
        let ids = try await controls().map(\.id)
        #expect(ids.count == 29 && !ids.contains("p7"))
    }

    private func controls(
        of run: RunID = Run.test().id, by server: StoreEnvironment = .production,
        from point: String = String(repeating: "0", count: 32), count: Int = 99
    ) async throws -> [StoredReceipt] {
        try await database.secondLook.controls(
            of: run, verifiedBy: server, from: point, count: count)
    }

    /// A run with 30 receipts verified by production, 10 by the sandbox, and others not verified.
    private func recordOutcomes() async throws {
        var outcomes = (1...30).map { Outcome.verified(ReceiptID("p\($0)")) }
        outcomes += (1...10).map { .verified(ReceiptID("s\($0)"), by: .sandbox) }
        let others: [Validation] = [
            .rejected(.notAuthentic), .unverified(.timeout), .unusable(.empty),
        ]
        for (number, validation) in others.enumerated() {
            var outcome = Outcome.test(ReceiptID("x\(number)"), validation)
            outcome.attempts.server = .production
            outcomes.append(outcome)
        }
        try await test.store(
            receipts: outcomes.compactMap(\.receipt).map { (id: $0.text, user: "ann") })
        let batch = try #require(try await database.openedBatches().first)
        try await record(.test(batch, .test(outcomes: outcomes)))
    }
}
