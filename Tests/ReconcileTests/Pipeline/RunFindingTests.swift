import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a value of --evidence with the users whose answers it keeps, or a number of users
/// a batch, which must not matter.
@Suite("The evidence of a finding", .database, .hangLimit)
struct EvidenceTests: DatabaseSuite {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "fay"]
    private static let ended = AppleAnswer.period("2", from: -40, to: -10)

    @Test(
        "Each finding names its answer by digest, and --evidence decides which answers are kept",
        arguments: [
            (Evidence.none, []), (.findings, ["cyd", "fay"]), (.all, users),
        ] as [(evidence: Evidence, users: [String])], [1, 3, 100])
    func kept(setting: (evidence: Evidence, users: [String]), batch: Int) async throws {
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
            try await findings() == [
                .init(.expiredStillGranted, of: "cyd", about: "e-cyd"),
                .init(.receiptAccountGone, of: "fay"),
                .init(.sharedOriginalTransaction, of: "ann"),
                .init(.sharedOriginalTransaction, of: "bob"),
            ])
        let kept = "select receipt_id from reconcile.evidence order by receipt_id"
        #expect(try await texts(kept) == setting.users)
        let proofs: [Proof] = try await test.rows(
            """
            select f.user_id, e.user_id as answer_of, sha256(e.body) = e.body_sha256 as is_whole
            from reconcile.finding as f
            inner join reconcile.evidence as e on e.body_sha256 = f.evidence_sha256
            order by f.user_id
            """)
        let proven: Set = ["ann", "bob", "cyd", "fay"]
        #expect(
            proofs
                == setting.users.filter(proven.contains).map { user in
                    Proof(userID: user, answerOf: user, isWhole: true)
                })
    }

    /// A finding's user, and the kept answer that it names.
    private struct Proof: Equatable, Decodable {
        let userID: String
        let answerOf: String
        let isWhole: Bool
    }

    /// A kept answer.
    private struct KeptBody: Equatable, Decodable {
        let body: String
        let detail: String
    }

    @Test("An answer that repeats the shared secret is kept without it, and says so")
    func echoed() async throws {
        try await test.sell("pro.monthly")
        try await storeReceipts(of: ["ann"])
        try await grant(["ann"])
        let echo = #"{"password":"canary","# + AppleAnswer.verified([Self.ended]).dropFirst()
        try await Pass(database, ScriptedApple { _ in [.reply(echo)] }).finish()
        let kept: [KeptBody] = try await test.rows(
            "select convert_from(body, 'UTF8') as body, detail from reconcile.evidence")
        let answer = KeptBody(
            body: echo.replacing("canary", with: "******"),
            detail: "the answer repeated the shared secret, which is left out")
        #expect(kept == [answer])
        // The digest covers the answer as received.
        let digests = "select distinct encode(evidence_sha256, 'hex') from reconcile.finding"
        #expect(try await texts(digests) == [Digest.sha256(Array(echo.utf8)).hexadecimal])
    }
}

/// To add a case: a row with SQL that runs when Ann's receipt is requested, and the bucket of her
/// row in the next night, or in this one after the second look.
@Suite("A change during the run", .database, .hangLimit)
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
            (change: "select 1", nextNight: [EntitlementBucket.withFinding]),
            ("update team.entitlements set at = '2026-11-20 03:00:01Z'", [.settling]),
            ("update team.entitlements set active = false", [.consistent]),
            ("delete from team.entitlements", []),
            (
                """
                insert into team.receipts (id, who, bundle, data, at)
                values ('r', 'ann', 'acme', 'AAAA', '2020-1-1')
                """,
                [.unverified]
            ),
            ("delete from team.receipts where who = 'ann'", [.withFinding]),
            (
                """
                insert into team.receipts (id, who, bundle, data, at)
                values ('r', 'bob', 'acme', 'AAAA', '2020-1-1')
                """,
                [.withFinding]
            ),
        ])
    func afterSnapshot(change: String, nextNight: [EntitlementBucket]) async throws {
        let pass = try await pass(changingBy: change)
        let summary = try await pass.finish()
        #expect(summary.entitlements.ofRows == [.withFinding])
        #expect(summary.receipts.inScope == 2)
        let found = try await findings(among: [.expiredStillGranted])
        #expect(found == [.init(.expiredStillGranted, of: "ann", about: "e1")])
        try await database.ledger.publish(pass.run.id, at: .asOf, under: nil)
        let next = try await Pass(database, pass.apple, night: 2, asOf: .asOf + .seconds(3_600))
        #expect(try await next.finish().entitlements.ofRows == nextNight)
    }

    @Test(
        "A user who is put off is read again for the second look, even if all rows are gone",
        arguments: [
            (
                change: """
                update team.entitlements set active = false;
                insert into team.receipts (id, who, bundle, data, at) values
                ('r2', 'ann', 'acme', '\(TestDatabase.receipt("r2"))', '2026-11-01')
                """,
                buckets: [EntitlementBucket.consistent],
                outcomes: [
                    StoredOutcome("r0", .verified, attempts: 1),
                    .init("r1", .rejected(.notAuthentic), attempts: 1),
                    .init("r2", .verified, attempts: 1),
                ]
            ),
            (
                """
                delete from team.receipts where who = 'ann'; delete from team.entitlements
                """, [], [.init("r0", .verified, attempts: 1)]
            ),
        ])
    func secondLook(
        change: String, buckets: [EntitlementBucket], outcomes: [StoredOutcome]
    ) async throws {
        let summary = try await pass(changingBy: change, isRefused: true).finish()
        #expect(summary.entitlements.ofRows == buckets)
        #expect(summary.receipts.inScope == outcomes.count)
        #expect(try await self.outcomes() == outcomes)
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
