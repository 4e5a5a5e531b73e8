import Testing

@testable import Reconcile
@testable import TestSupport

/// Findings that need the receipts of several users. `SightingTests` show which purchases and
/// receipts are compared.
@Suite("A purchase or a receipt of several users", .database, .timeLimit(.minutes(10)))
struct SharingTests: DatabaseSuite {
    /// What happens before the night, as in `NightStoryTests`; the product of all rows; the users
    /// with a finding, and the row it names. `unlock:6` is the purchase `unlock:5` restored. The
    /// app gives `full` to buyers up to version 4.10. A copy may have line breaks and no padding,
    /// be the user's own, or say less than another one.
    @Test(
        "A shared purchase or receipt is reported for each granted row that relies on it",
        arguments: textTriples(
            #"""
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
            """#))
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
            insert into reconcile.sighted_purchase (run_id, user_id, original_transaction_id)
            values ('\(pass.run.id)', 'zoe', '1'), ('another', 'eve', '1')
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
