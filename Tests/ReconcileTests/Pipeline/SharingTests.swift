import Testing

@testable import Reconcile
@testable import TestSupport

/// Findings that need the receipts of several users.
@Suite("A purchase or a receipt of several users", .database, .timeLimit(.minutes(10)))
struct SharingTests: DatabaseSuite {
    private static let lines = [
        "unlock": AppleLine.once("5", "unlock", bought: -60),
        "restored": AppleLine.once("6", of: "5", "unlock", bought: -9),
        "refunded": AppleLine.once("5", "unlock", bought: -60, cancelled: -9),
        "family": AppleLine.once("5", "unlock", bought: -60, with: AppleLine.familyShared),
        "another": AppleLine.once("6", "unlock", bought: -60),
        "newer": AppleLine.once("7", "unlock", bought: -5),
        "pass": AppleLine.once("5", "pass", bought: -10),
        "coins": AppleLine.once("5", "coins", bought: -60),
        "month": AppleLine.period("5", of: "5", from: -10, to: 20),
        "family month": AppleLine.period(
            "5", of: "5", from: -10, to: 20, with: AppleLine.familyShared),
    ]

    /// - Parameter row: ann's and bob's lines, the product, whose row grants it, and the users with
    ///   a finding.
    @Test(
        "A shared purchase is reported for each user with a granted row from it",
        arguments: textTable(
            """
            unlock        | unlock       | unlock      | ann bob | ann bob
            unlock        | restored     | unlock      | ann bob | ann bob
            refunded      | refunded     | unlock      | ann bob | ann bob
            unlock        | unlock       | unlock      | ann     | ann
            pass          | pass         | pass        | ann bob | ann bob
            family        | family       | unlock      | ann bob |
            month         | month        | pro.monthly | ann bob | ann bob
            family month  | family month | pro.monthly | ann bob |
            unlock        | another      | unlock      | ann bob |
            unlock, newer | unlock       | unlock      | ann bob | bob
            coins         | coins        | coins       | ann bob |
            """))
    func purchase(row: [String]) async throws {
        try await test.sell("pro.monthly")
        try await test.sell("unlock", kind: "non_consumable")
        try await test.sell("coins", kind: "consumable")
        try await execute(
            "insert into team.products values ('pass', 'non_renewing', null, null, '30 days')")
        var acts: [String: LoopbackServer.Act] = [:]
        for (user, names) in [("ann", row[0]), ("bob", row[1])] {
            let lines = try names.split(separator: ", ").map {
                try #require(Self.lines[String($0)])
            }
            acts[user] = .reply(AppleLine.answer(inApp: lines))
            try await test.store(receipt: user, of: user)
            try await test.store(
                entitlement: "e-\(user)", of: user, to: row[2], isActive: row[3].contains(user))
        }
        try await Pass(database, .answering(acts), usersPerBatch: 1).finish()
        let shared = """
            select concat_ws(' ', user_id, product_apple, original_transaction_id, severity,
                direction, proposed_action, explanation like '%who paid%')
            from reconcile.finding where kind = 'shared_original_transaction' order by user_id
            """
        let accused = row[4].split(separator: " ")
        let rest = "\(row[2]) 5 high leak investigate t"
        #expect(try await texts(shared) == accused.map { "\($0) \(rest)" })
    }

    /// The app gives `full` to buyers up to version 4.10. `one` is ann's receipt, `own` another one
    /// of hers, and `again` ann's own copy.
    /// - Parameter row: bob's receipt, the versions in `one` and `own`, the rows' source, whose row
    ///   grants, and whose row is accused.
    @Test(
        "A shared receipt is reported for each row that relies on it",
        arguments: textTable(
            """
            one    | 4.2 |     | legacy_paid | ann bob | ann bob
            rewrap | 4.2 |     | legacy_paid | ann bob | ann bob
            one    | 4.2 |     | legacy_paid | ann     | ann
            one    | 5.0 |     | legacy_paid | ann bob |
            one    | 5.0 | 4.0 | legacy_paid | ann bob |
            one    | 4.2 |     | app_store   | ann bob |
            two    | 4.2 |     | legacy_paid | ann bob |
            again  | 4.2 |     | legacy_paid | ann     |
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
                entitlement: "e-\(user)", of: user, to: "full", isActive: row[4].contains(user),
                source: row[3])
        }
        try await Pass(database, apple, usersPerBatch: 1).finish()
        let rows = """
            select concat_ws(' ', user_id, entitlement_id, severity, direction, proposed_action)
            from reconcile.finding where kind = 'shared_receipt' order by user_id
            """
        let accused = row[5].split(separator: " ")
        #expect(try await texts(rows) == accused.map { "\($0) e-\($0) high leak investigate" })
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
        try await Pass(database, world(), usersPerBatch: usersPerBatch).finish()
        // A subscription of several users is reported for each user who is granted it.
        let shared = """
            select concat_ws(' ', user_id, receipt_id, product_apple, original_transaction_id,
                transaction_id, environment, bundle_id, apple_state, apple_expires_at,
                reference, substring(explanation from '3 users, one of the others being [a-z]+'))
            from reconcile.finding where kind = 'shared_original_transaction' order by user_id
            """
        let columns = "pro.monthly 1 1 Production acme active 2026-12-10 02:00:00+00 1 3 users,"
        let told = [("ann", "dan"), ("bob", "ann")].map { user, other in
            "\(user) \(user) \(columns) one of the others being \(other)"
        }
        #expect(try await texts(shared) == told)
        // A product outside the catalogue is reported once for all users who have it.
        let unknown = """
            select concat_ws(' ', user_id is null, product_apple, reference, explanation)
            from reconcile.finding where kind = 'unknown_product'
            """
        let start = """
            t x.monthly x.monthly Apple shows the product x.monthly in the receipts of 2 users, \
            and 1 stored entitlement names it,
            """
        let products = try await texts(unknown)
        #expect(products.count == 1 && products[0]?.hasPrefix(start) == true)
    }

    @Test("Closing a run again adds no finding, and reads no other run's sightings")
    func again() async throws {
        // Zoe has a sighting in this run, Eve in another.
        let pass = try await Pass(database, world())
        try await execute(
            """
            insert into reconcile.sighted_purchase (run_id, user_id, original_transaction_id)
            values ('\(pass.run.id)', 'zoe', '1'), ('another', 'eve', '1')
            """)
        let first = try await pass.finish()
        let findings = try await findings()
        #expect(try await pass.summary() == first)
        #expect(try await self.findings() == findings)
        let users = """
            select distinct substring(explanation from '[0-9]+ users') from reconcile.finding
            where kind = 'shared_original_transaction'
            """
        #expect(try await list(users) == "4 users")
    }
}
