import Testing

@testable import Reconcile
@testable import TestSupport

/// A user's receipts and rows are read in one snapshot. Later changes are judged by the next run
/// (SPEC §8).
@Suite("A change during the run", .timeLimit(.minutes(10)))
struct FluxTests {
    private static let expired = AppleAnswer.verified([
        AppleAnswer.period("1", from: -60, to: -30)
    ])

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        /// The bucket of Ann's row in the next run.
        let nextNight: String

        init(_ what: String, _ sql: String, nextNight: String) {
            testDescription = what
            self.sql = sql
            self.nextNight = nextNight
        }
    }

    @Test(
        "A change after the snapshot is judged the next night",
        arguments: [
            Change("nothing", "select 1", nextNight: "with_finding"),
            Change(
                "the row, after the next night's instant",
                "update team.entitlements set at = '2026-11-20 03:00:01Z'", nextNight: "settling"),
            Change(
                "access is withdrawn", "update team.entitlements set active = false",
                nextNight: "consistent"),
            Change("the row goes", "delete from team.entitlements", nextNight: "none"),
            Change(
                "another receipt of the user comes",
                "insert into team.receipts values ('r2', 'ann', 'acme', 'AAAA', '2020-01-01')",
                nextNight: "unverified"),
            Change(
                "the receipt goes", "delete from team.receipts where who = 'ann'",
                nextNight: "with_finding"),
            Change(
                "another user's receipt comes",
                "insert into team.receipts values ('r2', 'bob', 'acme', 'AAAA', '2020-01-01')",
                nextNight: "with_finding"),
        ])
    func afterSnapshot(change: Change) async throws {
        try await world { test, database in
            let ofAnn = TestDatabase.receipt("r1")
            let apple = try ScriptedApple { ask in
                if ask.receipt == ofAnn, ask.attempt == 1 {
                    Gate.blocking { try await test.execute(change.sql) }
                }
                return [.reply(Self.expired)]
            }
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(Self.bucket(summary) == "with_finding")
            #expect(try await pass.findings(test).contains("expired_still_granted ann e1"))
            #expect(summary.receipts.inScope == 2)
            try await database.ledger.publish(pass.run.id, at: .asOf, under: nil)
            let next = try await Pass(database, apple, night: 2, asOf: .asOf + .seconds(3_600))
            try await next.reconcile()
            #expect(Self.bucket(try await next.summary()) == change.nextNight)
        }
    }

    @Test("A row that changed after the run's instant is counted as settling")
    func afterInstant() async throws {
        try await world { test, database in
            try await test.execute("update team.entitlements set at = '2026-11-20 02:00:01Z'")
            let pass = try await Pass(database, try ScriptedApple { _ in [.reply(Self.expired)] })
            try await pass.reconcile()
            #expect(Self.bucket(try await pass.summary()) == "settling")
            #expect(try await !pass.findings(test).contains("expired_still_granted ann e1"))
        }
    }

    @Test("A user who is put off is read again for the second look")
    func secondLook() async throws {
        try await world { test, database in
            let ofAnn = TestDatabase.receipt("r1")
            let apple = try ScriptedApple { ask in
                guard ask.receipt == ofAnn else { return [.reply(Self.expired)] }
                if ask.attempt == 1 {
                    Gate.blocking {
                        try await test.execute(
                            """
                            update team.entitlements set active = false;
                            insert into team.receipts values ('r2', 'ann', 'acme',
                                '\(TestDatabase.receipt("r2"))', '2026-11-01');
                            """)
                    }
                }
                return [.reply(AppleAnswer.status(21003))]
            }
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(Self.bucket(summary) == "consistent")
            #expect(summary.receipts.inScope == 3)
            let outcomes = [
                "r0 verified 1", "r1 rejected not_authentic 1", "r2 verified 1",
            ]
            #expect(try await pass.outcomes(test) == outcomes)
        }
    }

    @Test("A user whose rows are gone at the second look is recorded without findings")
    func gone() async throws {
        try await world { test, database in
            let ofAnn = TestDatabase.receipt("r1")
            let apple = try ScriptedApple { ask in
                guard ask.receipt == ofAnn else { return [.reply(Self.expired)] }
                Gate.blocking {
                    try await test.execute(
                        "delete from team.receipts where who = 'ann';"
                            + " delete from team.entitlements")
                }
                return [.reply(AppleAnswer.status(21003))]
            }
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            #expect(try await pass.summary().receipts.inScope == 1)
            #expect(try await pass.outcomes(test) == ["r0 verified 1"])
            #expect(try await pass.summary().requests.sent == apple.asks.count)
        }
    }

    private static func bucket(_ summary: RunSummary) -> String {
        Judgement(findings: [], entitlements: summary.entitlements).bucket
    }

    /// Ann has a row that her receipt does not prove, and Bob has a receipt.
    private func world(_ body: (TestDatabase, Database) async throws -> Void) async throws {
        try await TestDatabase.connected { test, database in
            try await test.sell("pro.monthly")
            try await test.store(receipt: "r1", of: "ann")
            try await test.store(receipt: "r0", of: "bob")
            try await test.store(entitlement: "e1", of: "ann")
            try await body(test, database)
        }
    }
}
