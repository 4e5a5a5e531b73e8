import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a row of its table.
@Suite("The evidence of a finding", .database, .timeLimit(.minutes(10)))
struct EvidenceTests: DatabaseSuite {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "fay"]
    private static let ended = AppleAnswer.period("2", from: -40, to: -10)

    @Test(
        "Each finding names its answer by digest, and --evidence decides which answers are kept",
        arguments: [
            (Evidence.none, ""), (.findings, "cyd, fay"), (.all, "ann, bob, cyd, dan, eve, fay"),
        ], [1, 3, 100])
    func kept(setting: (evidence: Evidence, users: String), batch: Int) async throws {
        try await test.sell("pro.monthly")
        try await storeReceipts(of: Self.users)
        try await grant(Self.users)
        // Ann and Bob share a subscription, Cyd's has ended, and Fay's account was deleted.
        let running = [1, 9, 4, 5].map { AppleAnswer.period("\($0)", from: -10, to: 20) }
        let apple = try ScriptedApple(answering: [
            "ann": .verified(running[0]), "bob": .verified(running[0], running[1]),
            "cyd": .verified(Self.ended), "dan": .verified(running[2]),
            "eve": .verified(running[3]), "fay": .status(21_010),
        ])
        try await Pass(database, apple, usersPerBatch: batch, evidence: setting.evidence).finish()
        #expect(
            try await findings() == "expired_still_granted cyd e-cyd, receipt_account_gone fay,"
                + " shared_original_transaction ann, shared_original_transaction bob")
        #expect(try await test.list("receipt_id", of: "evidence") == setting.users)
        let proofs = try await test.list(
            "f.user_id, e.user_id, sha256(e.body) = e.body_sha256",
            of: "finding as f join reconcile.evidence as e on e.body_sha256 = f.evidence_sha256")
        let proven = ["ann", "bob", "cyd", "fay"].filter(setting.users.contains)
        #expect(proofs == proven.map { "\($0) \($0) t" }.joined(separator: ", "))
    }

    @Test("An answer that repeats the shared secret is kept without it, and says so")
    func echoed() async throws {
        try await test.sell("pro.monthly")
        try await storeReceipts(of: ["ann"])
        try await grant(["ann"])
        let echo = #"{"password":"canary","# + AppleAnswer.verified([Self.ended]).dropFirst()
        try await Pass(database, ScriptedApple { _ in [.reply(echo)] }).finish()
        let kept = try await test.list("convert_from(body, 'UTF8'), detail", of: "evidence")
        let answer = echo.replacing("canary", with: "******")
        #expect(kept == answer + " the answer repeated the shared secret, which is left out")
        // The digest covers the answer as received.
        let digest = try await test.list("encode(evidence_sha256, 'hex')", of: "finding limit 1")
        #expect(digest == Digest.sha256(Array(echo.utf8)).hexadecimal)
    }
}

/// To add a case, copy a row of its table.
@Suite("A change during the run", .database, .timeLimit(.minutes(10)))
struct FluxTests: DatabaseSuite {
    /// Ann has a row that her receipt does not prove, and Bob has a receipt. Both have expired.
    /// - Parameter sql: is executed when Ann's receipt is first requested.
    private func pass(changingBy sql: String, isRefused: Bool = false) async throws -> Pass {
        try await test.sell("pro.monthly")
        try await storeReceipts([(id: "r1", user: "ann"), (id: "r0", user: "bob")])
        try await test.store(entitlement: "e1", of: "ann")
        let expired = LoopbackServer.Act.verified(AppleAnswer.period("1", from: -60, to: -30))
        let apple = try ScriptedApple { [test] ask in
            guard ask.shows("r1") else { return [expired] }
            if ask.attempt == 1 { Gate.blocking { try await test.execute(sql) } }
            return [isRefused ? .status(21003) : expired]
        }
        return try await Pass(database, apple)
    }

    @Test(
        "A change after the snapshot is judged the next night",
        arguments: [
            (change: "select 1", nextNight: "with_finding"),
            ("update team.entitlements set at = '2026-11-20 03:00:01Z'", "settling"),
            ("update team.entitlements set active = false", "consistent"),
            ("delete from team.entitlements", "none"),
            (
                "insert into team.receipts values ('r', 'ann', 'acme', 'AAAA', '2020-1-1')",
                "unverified"
            ),
            ("delete from team.receipts where who = 'ann'", "with_finding"),
            (
                "insert into team.receipts values ('r', 'bob', 'acme', 'AAAA', '2020-1-1')",
                "with_finding"
            ),
        ])
    func afterSnapshot(change: String, nextNight: String) async throws {
        let pass = try await pass(changingBy: change)
        let summary = try await pass.finish()
        #expect(summary.bucket == "with_finding")
        #expect(summary.receipts.inScope == 2)
        #expect(try await findings("expired_still") == "expired_still_granted ann e1")
        try await database.ledger.publish(pass.run.id, at: .asOf, under: nil)
        let next = try await Pass(database, pass.apple, night: 2, asOf: .asOf + .seconds(3_600))
        #expect(try await next.finish().bucket == nextNight)
    }

    @Test(
        "A user who is put off is read again for the second look, even if all rows are gone",
        arguments: [
            (
                change: """
                update team.entitlements set active = false;
                insert into team.receipts values
                ('r2', 'ann', 'acme', '\(TestDatabase.receipt("r2"))', '2026-11-01')
                """,
                bucket: "consistent",
                outcomes: ["r0 verified 1", "r1 rejected not_authentic 1", "r2 verified 1"]
            ),
            (
                """
                delete from team.receipts where who = 'ann'; delete from team.entitlements
                """, "none", ["r0 verified 1"]
            ),
        ])
    func secondLook(change: String, bucket: String, outcomes: [String]) async throws {
        let summary = try await pass(changingBy: change, isRefused: true).finish()
        #expect(summary.bucket == bucket)
        #expect(summary.receipts.inScope == outcomes.count)
        #expect(try await self.outcomes() == outcomes.joined(separator: ", "))
    }

    @Test("A batch of rows that name no user is done although the rows are gone")
    func withoutUser() async throws {
        try await test.store(receipt: "r1", of: nil)
        let pass = try await Pass(database, ScriptedApple { _ in [.verified()] })
        #expect(pass.plan.batches == 1)
        try await execute("delete from team.receipts")
        #expect(try await pass.finish().receipts.inScope == 0)
    }
}

extension Summary {
    fileprivate var bucket: String { Judgement(findings: [], entitlements: entitlements).bucket }
}
