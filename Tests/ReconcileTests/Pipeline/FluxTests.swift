import Testing

@testable import Reconcile
@testable import TestSupport

/// What the service changes while the run is on must not become a finding.
@Suite("A world in flux", .timeLimit(.minutes(5)))
struct FluxTests {
    private static let expired = AppleAnswer.verified([
        AppleAnswer.period("1", from: -60, to: -30)
    ])

    @Test(
        "changes between Apple's answer and the judgement",
        arguments: [
            ("not at all", "select 1", "with_finding"),
            (
                "the row, after as_of",
                "update team.entitlements set at = '2026-11-20 02:00:01Z'", "settling"
            ),
            ("access is withdrawn", "update team.entitlements set active = false", "consistent"),
            ("the row goes", "delete from team.entitlements", "none"),
            (
                "another receipt comes",
                "insert into team.receipts values ('r2', 'ann', 'acme', 'AAAA', now())",
                "unverified"
            ),
            (
                "another receipt comes, stored as if long ago",
                "insert into team.receipts values ('r2', 'ann', 'acme', 'AAAA', '2020-01-01')",
                "unverified"
            ),
            (
                "somebody else's receipt comes",
                "insert into team.receipts values ('r2', 'bob', 'acme', 'AAAA', now())",
                "with_finding"
            ),
        ])
    func changes(what: String, change: String, bucket: String) async throws {
        try await TestDatabase.connected { test, database in
            try await test.sell("pro.monthly")
            try await test.store(receipt: "r1", of: "ann")
            try await test.store(receipt: "r0", of: "bob")
            try await test.store(entitlement: "e1", of: "ann")
            let ofAnn = TestDatabase.receipt("r1")
            let apple = try ScriptedApple { ask in
                if ask.receipt == ofAnn { Gate.blocking { try await test.execute(change) } }
                return [.reply(Self.expired)]
            }
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(Judgement(findings: [], entitlements: summary.entitlements).bucket == bucket)
            let hasFinding = try await pass.findings(test).contains("expired_still_granted ann e1")
            #expect(hasFinding == (bucket == "with_finding"))
            #expect(summary.receipts.inScope == 2)
        }
    }
}
