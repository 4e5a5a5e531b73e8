import Testing

@testable import Reconcile
@testable import TestSupport

/// A user's receipts and rows are read in one snapshot. Later changes are judged by the next run.
@Suite("A change during the run", .database, .timeLimit(.minutes(10)))
struct FluxTests: DatabaseSuite {
    /// Ann has a row that her receipt does not prove, and Bob has a receipt. `sql` is executed when
    /// ann's receipt is first requested.
    private func world(
        changingBy sql: String, _ act: LoopbackServer.Act = FluxTests.expired
    ) async throws -> ScriptedApple {
        try await test.sell("pro.monthly")
        try await storeReceipts([(id: "r1", user: "ann"), (id: "r0", user: "bob")])
        try await test.store(entitlement: "e1", of: "ann")
        let test = test
        return try ScriptedApple { ask in
            guard ask.shows("r1") else { return [Self.expired] }
            if ask.attempt == 1 { Gate.blocking { try await test.execute(sql) } }
            return [act]
        }
    }

    private static let expired = LoopbackServer.Act.verified(
        AppleAnswer.period("1", from: -60, to: -30))

    private func bucket(_ summary: RunSummary) -> String {
        Judgement(findings: [], entitlements: summary.entitlements).bucket
    }

    @Test(
        "A change after the snapshot is judged the next night",
        arguments: textPairs(
            """
            select 1 | with_finding
            update team.entitlements set at = '2026-11-20 03:00:01Z' | settling
            update team.entitlements set active = false | consistent
            delete from team.entitlements | none
            insert into team.receipts values ('r2', 'ann', 'acme', 'AAAA', '2020-01-01') \
            | unverified
            delete from team.receipts where who = 'ann' | with_finding
            insert into team.receipts values ('r2', 'bob', 'acme', 'AAAA', '2020-01-01') \
            | with_finding
            """))
    func afterSnapshot(change: String, nextNight: String) async throws {
        let apple = try await world(changingBy: change)
        let pass = try await Pass(database, apple)
        let summary = try await pass.finish()
        #expect(bucket(summary) == "with_finding")
        #expect(try await findings("expired_still") == "expired_still_granted ann e1")
        #expect(summary.receipts.inScope == 2)
        try await database.ledger.publish(pass.run.id, at: .asOf, under: nil)
        let next = try await Pass(database, apple, night: 2, asOf: .asOf + .seconds(3_600))
        #expect(bucket(try await next.finish()) == nextNight)
    }

    @Test("A user who is put off is read again for the second look")
    func secondLook() async throws {
        let apple = try await world(
            changingBy: """
                update team.entitlements set active = false;
                insert into team.receipts values ('r2', 'ann', 'acme',
                    '\(TestDatabase.receipt("r2"))', '2026-11-01');
                """, .status(21003))
        let summary = try await Pass(database, apple).finish()
        #expect(bucket(summary) == "consistent")
        #expect(summary.receipts.inScope == 3)
        #expect(
            try await outcomes()
                == "r0 verified 1, r1 rejected not_authentic 1, r2 verified 1")
    }

    @Test("A user whose rows are gone at the second look is recorded without findings")
    func gone() async throws {
        let apple = try await world(
            changingBy: """
                delete from team.receipts where who = 'ann'; delete from team.entitlements
                """, .status(21003))
        let summary = try await Pass(database, apple).finish()
        #expect(summary.receipts.inScope == 1)
        #expect(try await outcomes() == "r0 verified 1")
        #expect(summary.requests.sent == apple.asks.count)
    }
}
