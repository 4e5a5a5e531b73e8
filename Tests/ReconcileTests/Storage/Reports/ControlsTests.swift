internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Controls of the second look")
struct ControlsTests {
    private static let run = Run.test().id

    @Test("Controls are drawn from a point on, and wrap around at the end")
    func wrapAround() async throws {
        try await night { test, database in
            let inOrder = try await test.texts(
                """
                select receipt_id from reconcile.outcome
                where outcome = 'verified' and environment = 'Production' order by md5(receipt_id)
                """
            ).compactMap { $0.map { ReceiptID($0) } }
            let places = try await test.texts(
                """
                select md5(receipt_id) from reconcile.outcome
                where outcome = 'verified' and environment = 'Production' order by 1
                """
            ).compactMap(\.self)
            #expect(inOrder.count == 30)
            for start in [0, 1, 17, 29] {
                let drawn = try await controls(from: places[start], count: 12, database)
                let expected = (0..<12).map { inOrder[(start + $0) % 30] }
                #expect(drawn.map(\.id) == expected)
            }
            #expect(
                try await controls(from: String(repeating: "f", count: 32), count: 5, database)
                    .map(\.id) == Array(inOrder.prefix(5)))
            #expect(
                try await controls(from: places[7], count: 99, database).map(\.id)
                    == Array(inOrder[7...] + inOrder[..<7]))
        }
    }

    @Test("Controls are receipts that this run verified by an answer of the same server")
    func verifiedByServer() async throws {
        try await night { _, database in
            let production = try await controls(count: 99, database)
            #expect(production.count == 30)
            #expect(production.allSatisfy { $0.id.text.hasPrefix("p") })
            let sandbox = try await controls(by: .sandbox, count: 99, database)
            #expect(sandbox.count == 10)
            #expect(sandbox.allSatisfy { $0.id.text.hasPrefix("s") })
            let other = try await database.secondLook.controls(
                of: RunID(text: "other"), verifiedBy: .production, from: "0", count: 99)
            #expect(other.isEmpty)
        }
    }

    @Test("A control is read as it is stored at that time")
    func stored() async throws {
        try await night { test, database in
            try await test.execute(
                "update team.receipts set data = 'NEW', bundle = 'other' where id like 'p%'")
            let controls = try await controls(count: 99, database)
            #expect(controls.count == 30)
            for control in controls {
                #expect(control.data.text == Array("NEW".utf8) && control.bundle == "other")
                #expect(control.user == "ann")
            }
        }
    }

    @Test(
        "A receipt that is gone, changed its user, is invalid or too large is not a control",
        arguments: [
            "delete from team.receipts where id = 'p7'",
            "update team.receipts set who = 'bob' where id = 'p7'",
            "update team.receipts set who = null where id = 'p7'",
            "update team.receipts set bundle = null where id = 'p7'",
            "update team.receipts set data = null where id = 'p7'",
            "update team.receipts set data = repeat('A', 4194305) where id = 'p7'",
        ])
    func leftOut(change: String) async throws {
        try await night { test, database in
            try await test.execute(change)
            let controls = try await controls(count: 99, database)
            #expect(controls.count == 29)
            #expect(!controls.map(\.id).contains("p7"))
        }
    }

    private func controls(
        by server: StoreEnvironment = .production,
        from point: String = String(repeating: "0", count: 32), count: Int, _ database: Database
    ) async throws -> [StoredReceipt] {
        try await database.secondLook.controls(
            of: Self.run, verifiedBy: server, from: point, count: count)
    }

    /// A run with 30 receipts verified by production, 10 by the sandbox, and others not verified.
    private func night(_ body: (TestDatabase, Database) async throws -> Void) async throws {
        try await TestDatabase.connected { test, database in
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
            _ = try await database.results.record(
                [.test(batch, .test(outcomes: outcomes))], of: .test())
            try await body(test, database)
        }
    }
}
