import Testing

@testable import Reconcile
@testable import TestSupport

/// Findings that need the receipts of several users. `SightingTests` show which purchases and
/// receipts are compared.
@Suite("A purchase or a receipt of several users", .database, .timeLimit(.minutes(10)))
struct SharingTests: DatabaseSuite {
    private static let shared = "finding where kind = 'shared_original_transaction'"

    private static let lines = [
        "unlock": AppleLine.once("5", "unlock", bought: -60),
        "restored": AppleLine.once("6", of: "5", "unlock", bought: -9),
        "refunded": AppleLine.once("5", "unlock", bought: -60, cancelled: -9),
        "family": AppleLine.once("5", "unlock", bought: -60, with: AppleLine.familyShared),
        "another": AppleLine.once("6", "unlock", bought: -60),
        "newer": AppleLine.once("7", "unlock", bought: -5),
    ]

    /// - Parameter row: ann's and bob's lines, whose row grants it, and the users with a finding.
    @Test(
        "A shared purchase is reported for each user with a granted row from it",
        arguments: textTable(
            """
            unlock        | unlock   | ann bob | ann bob
            unlock        | restored | ann bob | ann bob
            refunded      | refunded | ann bob | ann bob
            unlock        | unlock   | ann     | ann
            family        | family   | ann bob |
            unlock        | another  | ann bob |
            unlock, newer | unlock   | ann bob | bob
            """))
    func purchase(row: [String]) async throws {
        try await test.sell("unlock", kind: "non_consumable")
        var acts: [String: LoopbackServer.Act] = [:]
        for (user, names) in [("ann", row[0]), ("bob", row[1])] {
            let lines = names.split(separator: ", ").compactMap { Self.lines[String($0)] }
            acts[user] = .reply(AppleLine.answer(inApp: lines))
            try await test.store(receipt: user, of: user)
            try await test.store(
                entitlement: "e-\(user)", of: user, to: "unlock", isActive: row[2].contains(user))
        }
        try await Pass(database, .answering(acts), usersPerBatch: 1).finish()
        let shared = try await test.list(
            """
            user_id, product_apple, original_transaction_id, severity, direction, proposed_action,
            explanation like '%who paid%'
            """, of: Self.shared)
        let told = row[3].split(separator: " ").map { "\($0) unlock 5 high leak investigate t" }
        #expect(shared == told.joined(separator: ", "))
    }

    /// The app gives `full` to buyers up to version 4.10, like ann. `again` is her own copy.
    /// - Parameter row: bob's receipt, the version in hers, that in another one of hers, whose row
    ///   grants, and whose row is accused.
    @Test(
        "A shared receipt is reported for each row that relies on it",
        arguments: textTable(
            """
            one    | 4.2 |     | ann bob | ann bob
            rewrap | 4.2 |     | ann bob | ann bob
            one    | 4.2 |     | ann     | ann
            one    | 5.0 |     | ann bob |
            one    | 5.0 | 4.0 | ann bob |
            two    | 4.2 |     | ann bob |
            again  | 4.2 |     | ann     |
            """))
    func receipt(row: [String]) async throws {
        try await test.sell("full", kind: "non_consumable")
        try await execute("insert into team.apps values ('acme', '4.10', null, 'full')")
        let apple = try ScriptedApple { ask in
            [.reply(AppleLine.answer(version: ask.shows("own") ? row[2] : row[1]))]
        }
        let one = TestDatabase.receipt("one")
        // Line breaks and no padding.
        let rewrapped: String = one.prefix(40) + "\r\n" + one.dropFirst(40).replacing("=", with: "")
        let copy = ["rewrap": rewrapped, "two": TestDatabase.receipt("two")][row[0]] ?? one
        try await test.store(receipt: "r-ann", of: "ann", data: .text(one))
        let owner = row[0] == "again" ? "ann" : "bob"
        try await test.store(receipt: "r-copy", of: owner, data: .text(copy))
        if !row[2].isEmpty { try await test.store(receipt: "own", of: "ann") }
        for user in ["ann", "bob"] {
            try await test.store(
                entitlement: "e-\(user)", of: user, to: "full", isActive: row[3].contains(user),
                source: "legacy_paid")
        }
        try await Pass(database, apple, usersPerBatch: 1).finish()
        let shared = try await test.list(
            "user_id, entitlement_id, severity, direction, proposed_action",
            of: "finding where kind = 'shared_receipt'")
        let told = row[4].split(separator: " ").map { "\($0) e-\($0) high leak investigate" }
        #expect(shared == told.joined(separator: ", "))
        if owner == "ann" { #expect(try await findings() == "") }
    }

    /// Ann, Bob and Dan share a subscription, which Dan is not granted; Cyd and Eve have their own
    /// and a product outside the catalogue.
    private func world() async throws -> ScriptedApple {
        try await test.sell("pro.monthly")
        try await storeReceipts(of: ["ann", "bob", "cyd", "dan", "eve"])
        try await grant(["ann", "bob", "cyd"])
        try await grant(["dan"], isActive: false)
        try await test.store(entitlement: "x-flo", of: "flo", to: "x.monthly", source: "promo")
        let shared = LoopbackServer.Act.verified(AppleAnswer.period("1", from: -10, to: 20))
        let own = AppleAnswer.period("2", from: -10, to: 20)
        let unknown = AppleAnswer.period("3", of: "x.monthly", from: -10, to: 20)
        return try .answering([
            "ann": shared, "bob": shared, "dan": shared, "cyd": .verified(own, unknown),
            "eve": .verified(unknown),
        ])
    }

    @Test("Findings across users are the same for any batch size", arguments: [1, 100])
    func found(usersPerBatch: Int) async throws {
        let pass = try await Pass(database, world(), usersPerBatch: usersPerBatch)
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
            """, of: Self.shared)
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
