import Testing

@testable import Reconcile
@testable import TestSupport

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
        arguments: """
            select 1 | with_finding
            update team.entitlements set at = '2026-11-20 03:00:01Z' | settling
            update team.entitlements set active = false | consistent
            delete from team.entitlements | none
            insert into team.receipts values ('r', 'ann', 'acme', 'AAAA', '2020-1-1') | unverified
            delete from team.receipts where who = 'ann' | with_finding
            insert into team.receipts values ('r', 'bob', 'acme', 'AAAA', '2020-1-1') | with_finding
            """.pairs)
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
        arguments: """
            update team.entitlements set active = false; insert into team.receipts \
            values ('r2', 'ann', 'acme', '\(TestDatabase.receipt("r2"))', '2026-11-01') \
            | consistent | r0 verified 1, r1 rejected not_authentic 1, r2 verified 1
            delete from team.receipts where who = 'ann'; delete from team.entitlements \
            | none | r0 verified 1
            """.triples)
    func secondLook(change: String, bucket: String, outcomes: String) async throws {
        let summary = try await pass(changingBy: change, isRefused: true).finish()
        #expect(summary.bucket == bucket)
        #expect(summary.receipts.inScope == outcomes.split(separator: ", ").count)
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

extension Summary {
    fileprivate var bucket: String { Judgement(findings: [], entitlements: entitlements).bucket }
}

@Suite("A purchase or a receipt of several users", .database, .timeLimit(.minutes(10)))
struct SharingTests: DatabaseSuite {
    /// What happens before the night, as in `NightStoryTests`; the product of all rows; the users
    /// with a finding, and the row it names. `unlock:6` is the purchase `unlock:5` restored. The
    /// app gives `full` to buyers up to version 4.10. A copy may have line breaks and no padding,
    /// be the user's own, or say less than another one.
    @Test(
        "A shared purchase or receipt is reported for each granted row that relies on it",
        arguments: #"""
            ann unlock:5 granted; bob unlock:5 granted | unlock | ann, bob
            ann unlock:5 granted; bob unlock:6 granted | unlock | ann, bob
            ann unlock:5:refunded granted; bob unlock:5:refunded granted | unlock | ann, bob
            ann unlock:5 granted; bob unlock:5 revoked | unlock | ann
            ann version:4.2 granted; bob version:4.2 granted copy:ann | full | ann e-ann, bob e-bob
            ann version:4.2 granted; bob version:4.2 granted copy:ann; sql update team.receipts \#
            set data = regexp_replace(rtrim(data, '='), '(.{40})', E'\\1\r\n') where who = 'bob' \#
            | full | ann e-ann, bob e-bob
            ann version:4.2 granted; bob version:4.2 revoked copy:ann | full | ann e-ann
            ann version:5.0 granted; bob version:5.0 granted copy:ann | full |
            ann version:4.0 granted; bob version:5.0 granted; sql insert into team.receipts \#
            select 'r', 'ann', bundle, data, at from team.receipts where who = 'bob' | full |
            ann version:4.2 granted; bob version:4.2 granted | full |
            ann version:4.2 granted; sql insert into team.receipts \#
            select 'again', 'ann', bundle, data, at from team.receipts | full |
            """#.triples)
    func shared(changes: String, product: String, told: String) async throws {
        try await test.sell("full", kind: "non_consumable")
        try await execute("insert into team.apps values ('acme', '4.10', null, 'full')")
        let source = product == "full" ? "legacy_paid" : "app_store"
        let rows = "product = '\(product)', source = '\(source)', expires = null"
        let night = try await nights.night(changes + "; sql update team.entitlements set " + rows)
        let shared = night.findings.map(\.finding).filter { $0.kind.rawValue.hasPrefix("shared") }
        let weights = shared.map { "\($0.severity) \($0.direction) \($0.proposedAction)" }
        #expect(weights.allSatisfy { $0 == "high leak investigate" }, "\(weights)")
        let users = shared.map { [$0.user?.text, $0.entitlement?.text].compactMap(\.self) }
        #expect(users.map { $0.joined(separator: " ") }.sorted().joined(separator: ", ") == told)
        if !changes.contains("bob") { #expect(night.rows == "") }
    }

    @Test("Batch and in-flight sizes change no finding", arguments: [(1, 1), (3, 8), (100, 4)])
    func found(usersPerBatch: Int, inFlight: Int) async throws {
        // Ann, Bob and Dan share a subscription, which Dan is not granted; Cyd and Eve have their
        // own and a product outside the catalogue.
        try await test.sell("pro.monthly")
        try await storeReceipts(of: ["ann", "bob", "cyd", "dan", "eve"])
        try await grant(["ann", "bob", "cyd"])
        try await grant(["dan"], isActive: false)
        try await test.store(entitlement: "x-flo", of: "flo", to: "x.monthly", source: "promo")
        let common = LoopbackServer.Act.verified(AppleAnswer.period("1", from: -10, to: 20))
        let own = AppleAnswer.period("2", from: -10, to: 20)
        let extra = AppleAnswer.period("3", of: "x.monthly", from: -10, to: 20)
        let apple = try ScriptedApple(answering: [
            "ann": common, "bob": common, "dan": common, "cyd": .verified(own, extra),
            "eve": .verified(extra),
        ])
        let pass = try await Pass(database, apple, usersPerBatch: usersPerBatch, inFlight: inFlight)
        // Zoe has a sighting in this run, Eve in another.
        try await execute(
            """
            insert into reconcile.sighted_purchase (run_no, user_id, original_transaction_id)
            select run_no, 'zoe', '1' from reconcile.run where run_id = '\(pass.run.id)'
            union all select 0, 'eve', '1'
            """)
        let summary = try await pass.finish()
        // A subscription of several users is reported for each user who is granted it.
        let shared = try await test.list(
            """
            user_id, receipt_id, product_apple, original_transaction_id, transaction_id,
            environment, bundle_id, apple_state, apple_expires_at, reference,
            substring(explanation from '4 users, one of the others being [a-z]+')
            """, of: "finding where kind = 'shared_original_transaction'")
        let columns = "pro.monthly 1 1 Production acme active 2026-12-10 02:00:00+00 1 4 users, one"
        let ann = "ann ann \(columns) of the others being zoe"
        #expect(shared == ann + ", bob bob \(columns) of the others being ann")
        // A product outside the catalogue is reported once for all users who have it.
        let unknown = try await test.list(
            "user_id is null, product_apple, reference, substring(explanation from '.* names it')",
            of: "finding where kind = 'unknown_product'")
        let told = "Apple shows the product x.monthly in the receipts of 2 users, and 1 stored"
        #expect(unknown == "t x.monthly x.monthly \(told) entitlement names it")
        // To close the run again adds none.
        let findings = try await findings()
        #expect(try await pass.summary() == summary)
        #expect(try await self.findings() == findings)
    }
}
