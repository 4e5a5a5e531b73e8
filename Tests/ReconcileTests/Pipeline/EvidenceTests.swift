import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The evidence of a finding", .database, .timeLimit(.minutes(10)))
struct EvidenceTests: DatabaseSuite {
    private static let ended = AppleAnswer.period("2", from: -40, to: -10)

    /// Ann and Bob share a subscription, Cyd's has ended, Dan's and Eve's agree with their rows;
    /// Fay's account was deleted.
    private func world() async throws -> ScriptedApple {
        try await test.sell("pro.monthly")
        try await storeReceipts(of: ["ann", "bob", "cyd", "dan", "eve", "fay"])
        try await grant("ann", "bob", "cyd", "dan", "eve", "fay")
        func running(_ id: String) -> String { AppleAnswer.period(id, from: -10, to: 20) }
        return try .answering([
            "ann": .verified(running("1")), "bob": .verified(running("1"), running("9")),
            "cyd": .verified(Self.ended), "dan": .verified(running("4")),
            "eve": .verified(running("5")), "fay": .status(21_010),
        ])
    }

    @Test(
        "Each finding names its answer by digest, and --evidence decides which answers are kept",
        arguments: [
            (Evidence.none, ""), (.findings, "cyd, fay"), (.all, "ann, bob, cyd, dan, eve, fay"),
        ], [1, 3, 100])
    func kept(setting: (evidence: Evidence, users: String), usersPerBatch: Int) async throws {
        let pass = try await Pass(
            database, world(), usersPerBatch: usersPerBatch, evidence: setting.evidence)
        try await pass.finish()
        #expect(
            try await findings() == "expired_still_granted cyd e-cyd, receipt_account_gone fay,"
                + " shared_original_transaction ann, shared_original_transaction bob")
        let kept = "select receipt_id from reconcile.evidence order by 1"
        #expect(try await list(kept) == setting.users)
        let proofs = """
            select concat_ws(' ', f.user_id, e.user_id, sha256(e.body) = e.body_sha256)
            from reconcile.finding as f
            inner join reconcile.evidence as e on e.body_sha256 = f.evidence_sha256
            order by f.user_id, e.receipt_id
            """
        let proven = ["ann", "bob", "cyd", "fay"].filter(setting.users.contains)
        #expect(try await texts(proofs) == proven.map { "\($0) \($0) t" })
    }

    @Test("An answer that repeats the shared secret is kept without it, and says so")
    func echoed() async throws {
        try await test.sell("pro.monthly")
        try await storeReceipts(of: ["ann"])
        try await grant("ann")
        let echo = AppleAnswer.verified([Self.ended]).replacing(
            "{\"status\"", with: "{\"password\":\"canary\",\"status\"", maxReplacements: 1)
        try await Pass(database, ScriptedApple { _ in [.reply(echo)] }).finish()
        let kept = "select convert_from(body, 'UTF8') from reconcile.evidence"
        #expect(try await texts(kept) == [echo.replacing("canary", with: "******")])
        // The digest covers the answer as received.
        let digest = "select encode(evidence_sha256, 'hex') from reconcile.finding limit 1"
        #expect(try await texts(digest) == [Digest.sha256(Array(echo.utf8)).hexadecimal])
        #expect(
            try await texts("select detail from reconcile.evidence")
                == ["the answer repeated the shared secret, which is left out"])
    }

    @Test("A replay judges the kept answers again, sends no request, and works if one is missing")
    func replayed() async throws {
        let apple = try await world()
        let pass = try await Pass(database, apple, usersPerBatch: 3, evidence: .all)
        try await pass.finish()
        let outcomes = try await outcomes()
        #expect(outcomes.contains("fay rejected account_gone 1"))
        try await database.ledger.publish(pass.run.id, at: .asOf, under: nil)
        try await test.store(receipt: "dan-2", of: "dan")
        let asked = apple.asks.count
        let replay = try await Pass(
            database, apple, usersPerBatch: 4, night: 2, evidence: .all, replayOf: pass.run.id)
        try await replay.finish()
        #expect(apple.asks.count == asked)
        #expect(replay.told("secondLook").isEmpty)
        // The receipt that came later has no kept answer.
        let replayed = try await self.outcomes(of: replay.run.id)
        #expect(replayed.contains(", dan-2 unverified no_evidence 0"))
        #expect(replayed.replacing(", dan-2 unverified no_evidence 0", with: "") == outcomes)
        func digests(of run: RunID) async throws -> [String?] {
            try await texts(
                """
                select concat_ws(' ', user_id, kind, encode(evidence_sha256, 'hex'))
                from reconcile.finding where run_id = '\(run.text)' order by 1
                """)
        }
        let first = try await digests(of: pass.run.id)
        #expect(first.count == 4)
        #expect(try await digests(of: replay.run.id) == first)
        let evidence = "select count(*) from reconcile.evidence where run_id = '\(replay.run.id)'"
        #expect(try await texts(evidence) == ["0"])
        let isNight = "select makes_history::text from reconcile.run order by run_id"
        #expect(try await list(isNight) == "true, false")
    }
}
