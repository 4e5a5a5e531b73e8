import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The evidence of a finding", .timeLimit(.minutes(10)))
struct EvidenceTests {
    private static let shared = AppleAnswer.period("1", from: -10, to: 20)
    private static let ended = AppleAnswer.period("2", from: -40, to: -10)

    @Test(
        "Each finding names its answer by digest, and --evidence decides which answers are kept",
        arguments: [
            (Evidence.none, []), (.findings, ["cyd", "fay"]),
            (.all, ["ann", "bob", "cyd", "dan", "eve", "fay"]),
        ], [1, 3, 100])
    func kept(setting: (evidence: Evidence, users: [String]), usersPerBatch: Int) async throws {
        try await world { test, database, apple in
            let pass = try await Pass(
                database, apple, usersPerBatch: usersPerBatch, evidence: setting.evidence)
            try await pass.reconcile()
            _ = try await pass.summary()
            let findings = try await pass.findings(test)
            #expect(
                findings == [
                    "expired_still_granted cyd e-cyd", "receipt_account_gone fay",
                    "shared_original_transaction ann", "shared_original_transaction bob",
                ])
            let kept = try await test.texts("select receipt_id from reconcile.evidence order by 1")
            #expect(kept == setting.users)
            let proofs = try await test.texts(
                """
                select concat_ws(' ', f.user_id, e.user_id, sha256(e.body) = e.body_sha256)
                from reconcile.finding as f
                inner join reconcile.evidence as e on e.body_sha256 = f.evidence_sha256
                order by f.user_id, e.receipt_id
                """)
            let proven = Set(setting.users).intersection(["ann", "bob", "cyd", "fay"])
            #expect(proofs == proven.sorted().map { "\($0) \($0) t" })
        }
    }

    @Test("An answer that repeats the shared secret is kept without it, and says so")
    func echoed() async throws {
        try await TestDatabase.connected { test, database in
            try await test.sell("pro.monthly")
            try await test.store(receipt: "ann", of: "ann")
            try await test.store(entitlement: "e", of: "ann", expires: "2026-12-10T02:00:00Z")
            let answer = AppleAnswer.verified([Self.ended])
            let echo = answer.replacing(
                "{\"status\"", with: "{\"password\":\"canary\",\"status\"", maxReplacements: 1)
            let apple = try ScriptedApple { _ in [.reply(echo)] }
            let pass = try await Pass(database, apple, evidence: .findings)
            try await pass.reconcile()
            _ = try await pass.summary()
            let kept = try await test.texts(
                "select convert_from(body, 'UTF8') from reconcile.evidence")
            #expect(kept == [echo.replacing("canary", with: "******")])
            // The digest covers the answer as received.
            let digest = try await test.texts(
                "select encode(evidence_sha256, 'hex') from reconcile.finding limit 1")
            #expect(digest == [Digest.sha256(Array(echo.utf8)).hexadecimal])
            let detail = try await test.texts("select detail from reconcile.evidence")
            #expect(detail == ["the answer repeated the shared secret, which is left out"])
        }
    }

    @Test("A replay names the same answers and sends no request to Apple")
    func replayed() async throws {
        try await world { test, database, apple in
            let pass = try await Pass(database, apple, usersPerBatch: 3, evidence: .all)
            try await pass.reconcile()
            _ = try await pass.summary()
            try await database.ledger.publish(pass.run.id, at: .asOf, under: nil)
            let asked = apple.asks.count
            let replay = try await Pass(
                database, apple, usersPerBatch: 3, night: 2, evidence: .all,
                replayOf: pass.run.id)
            try await replay.reconcile()
            _ = try await replay.summary()
            #expect(apple.asks.count == asked)
            #expect(replay.secondLooks.isEmpty)
            let digests = """
                select concat_ws(' ', user_id, kind, encode(evidence_sha256, 'hex'))
                from reconcile.finding where run_id = '\(pass.run.id.text)' order by 1
                """
            let first = try await test.texts(digests)
            let second = try await test.texts(
                digests.replacing(pass.run.id.text, with: replay.run.id.text))
            #expect(first == second && first.count == 4)
            let evidence = "select count(*) from reconcile.evidence where run_id = '"
            #expect(try await test.texts(evidence + "\(replay.run.id)'") == ["0"])
        }
    }

    /// Ann and Bob share a subscription, Cyd's has ended, Dan's and Eve's agree with their rows;
    /// Fay's account was deleted.
    private func world(
        _ body: (TestDatabase, Database, ScriptedApple) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.sell("pro.monthly")
            var answers: [String: String] = [:]
            for user in ["ann", "bob", "cyd", "dan", "eve", "fay"] {
                try await test.store(receipt: user, of: user)
                try await test.store(
                    entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
                answers[TestDatabase.receipt(user)] = AppleAnswer.verified([
                    AppleAnswer.period("1\(user)", from: -10, to: 20)
                ])
            }
            answers[TestDatabase.receipt("ann")] = AppleAnswer.verified([Self.shared])
            answers[TestDatabase.receipt("bob")] = AppleAnswer.verified([
                Self.shared, AppleAnswer.period("9", from: -10, to: 20),
            ])
            answers[TestDatabase.receipt("cyd")] = AppleAnswer.verified([Self.ended])
            answers[TestDatabase.receipt("fay")] = AppleAnswer.status(21_010)
            let byReceipt = answers
            let apple = try ScriptedApple { ask in
                [.reply(byReceipt[ask.receipt] ?? AppleAnswer.status(21_003))]
            }
            try await body(test, database, apple)
        }
    }
}
