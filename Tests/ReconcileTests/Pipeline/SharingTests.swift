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

    /// - Parameter row: what it is, ann's and bob's lines, the product, whose row grants it, and
    ///   the users with a finding.
    @Test(
        "The purchase is reported for each user whose granted row it gives",
        arguments: textTable(
            """
            for a lifetime        | unlock        | unlock       | unlock      | ann bob | ann bob
            restored elsewhere    | unlock        | restored     | unlock      | ann bob | ann bob
            refunded              | refunded      | refunded     | unlock      | ann bob | ann bob
            one is not granted    | unlock        | unlock       | unlock      | ann     | ann
            a pass                | pass          | pass         | pass        | ann bob | ann bob
            of the family         | family        | family       | unlock      | ann bob |
            a subscription        | month         | month        | pro.monthly | ann bob | ann bob
            the family's one      | family month  | family month | pro.monthly | ann bob |
            each has one          | unlock        | another      | unlock      | ann bob |
            beside a newer one    | unlock, newer | unlock       | unlock      | ann bob | bob
            coins                 | coins         | coins        | coins       | ann bob |
            """))
    func purchase(row: [String]) async throws {
        let product = row[3]
        try await test.sell("pro.monthly")
        try await test.sell("unlock", kind: "non_consumable")
        try await test.sell("coins", kind: "consumable")
        try await execute(
            "insert into team.products values ('pass', 'non_renewing', null, null, '30 days')")
        var acts: [String: LoopbackServer.Act] = [:]
        for (user, names) in [("ann", row[1]), ("bob", row[2])] {
            let lines = try names.split(separator: ", ").map {
                try #require(Self.lines[String($0)])
            }
            acts[user] = .reply(AppleLine.answer(inApp: lines))
            try await test.store(receipt: user, of: user)
            try await test.store(
                entitlement: "e-\(user)", of: user, to: product, isActive: row[4].contains(user))
        }
        try await Pass(database, .answering(acts), usersPerBatch: 1).finish()
        let shared = """
            select concat_ws(' ', user_id, product_apple, original_transaction_id, severity,
                direction, proposed_action, explanation like '%who paid%')
            from reconcile.finding where kind = 'shared_original_transaction' order by user_id
            """
        let accused = row[5].split(separator: " ")
        let rest = "\(product) 5 high leak investigate t"
        #expect(try await texts(shared) == accused.map { "\($0) \(rest)" })
    }

    /// The app gives `full` to buyers up to version 4.10. `one` is ann's receipt, `own` another one
    /// of hers.
    /// - Parameter row: what it is, bob's receipt, the versions in `one` and `own`, the rows'
    ///   source, whose row grants, and whose row is accused.
    @Test(
        "The receipt is reported for each row that relies on it",
        arguments: textTable(
            """
            both are given by it    | one     | 4.2 |     | legacy_paid | ann bob | ann bob
            a copy in another form  | rewrap  | 4.2 |     | legacy_paid | ann bob | ann bob
            one is not granted      | one     | 4.2 |     | legacy_paid | ann     | ann
            it gives nothing        | one     | 5.0 |     | legacy_paid | ann bob |
            another one gives it    | one     | 5.0 | 4.0 | legacy_paid | ann bob |
            rows of the App Store   | one     | 4.2 |     | app_store   | ann bob |
            each has a receipt      | two     | 4.2 |     | legacy_paid | ann bob |
            both copies are ann's   | ann's   | 4.2 |     | legacy_paid | ann     |
            """))
    func receipt(row: [String]) async throws {
        try await test.sell("full", kind: "non_consumable")
        try await execute("insert into team.apps values ('acme', '4.10', null, 'full')")
        let own = TestDatabase.receipt("own")
        let apple = try ScriptedApple { ask in
            [.reply(AppleLine.answer(version: ask.receipt == own ? row[3] : row[2]))]
        }
        let one = TestDatabase.receipt("one")
        // Line breaks and no padding.
        let rewrapped: String = one.prefix(40) + "\r\n" + one.dropFirst(40).replacing("=", with: "")
        let copies = ["one": one, "rewrap": rewrapped, "two": TestDatabase.receipt("two")]
        try await test.store(receipt: "r-ann", of: "ann", data: .text(one))
        if let copy = copies[row[1]] {
            try await test.store(receipt: "r-bob", of: "bob", data: .text(copy))
        } else {
            try await test.store(receipt: "r-ann-2", of: "ann", data: .text(one))
        }
        if !row[3].isEmpty { try await test.store(receipt: "own", of: "ann") }
        for user in ["ann", "bob"] {
            try await test.store(
                entitlement: "e-\(user)", of: user, to: "full", isActive: row[5].contains(user),
                source: row[4])
        }
        try await Pass(database, apple, usersPerBatch: 1).finish()
        let rows = """
            select concat_ws(' ', user_id, entitlement_id, severity, direction, proposed_action)
            from reconcile.finding where kind = 'shared_receipt' order by user_id
            """
        let accused = row[6].split(separator: " ")
        #expect(try await texts(rows) == accused.map { "\($0) e-\($0) high leak investigate" })
        if row[1] == "ann's" { #expect(try await findings() == "") }
    }

    /// Ann, Bob and Dan share a subscription, which Dan is not granted; Cyd and Eve have their own
    /// and a product outside the catalogue.
    private func world() async throws -> ScriptedApple {
        try await test.sell("pro.monthly")
        try await storeReceipts(of: ["ann", "bob", "cyd", "dan", "eve"])
        try await grant("ann", "bob", "cyd")
        try await grant("dan", isActive: false)
        try await test.store(entitlement: "x-flo", of: "flo", to: "x.monthly", source: "promo")
        let shared = LoopbackServer.Act.verified(AppleAnswer.period("1", from: -10, to: 20))
        let own = AppleAnswer.period("2", from: -10, to: 20)
        let unknown = AppleAnswer.period("3", of: "x.monthly", from: -10, to: 20)
        return try .answering([
            "ann": shared, "bob": shared, "dan": shared, "cyd": .verified(own, unknown),
            "eve": .verified(unknown),
        ])
    }

    @Test(
        "Findings across users are the same for any batch size, each with its evidence",
        arguments: [1, 100])
    func found(usersPerBatch: Int) async throws {
        let summary = try await Pass(database, world(), usersPerBatch: usersPerBatch).finish()
        // A subscription of several users is reported for each user who is granted it.
        #expect(summary.findings.byKind[.sharedOriginalTransaction] == 2)
        let shared = """
            select concat_ws(' ', user_id, receipt_id, product_apple, original_transaction_id,
                transaction_id, environment, bundle_id, apple_state, apple_expires_at,
                reference)
            from reconcile.finding where kind = 'shared_original_transaction' order by user_id
            """
        let columns = "pro.monthly 1 1 Production acme active 2026-12-10 02:00:00+00 1"
        #expect(try await list(shared) == "ann ann \(columns), bob bob \(columns)")
        let sentence = """
            select explanation from reconcile.finding
            where kind = 'shared_original_transaction' order by user_id
            """
        #expect(try await list(sentence).contains("3 users, one of the others being dan"))
        // A product outside the catalogue is reported once for all users who have it.
        let unknown = """
            select concat_ws(' ', user_id is null, product_apple, reference, explanation)
            from reconcile.finding where kind = 'unknown_product'
            """
        let rows = try await texts(unknown)
        #expect(rows.count == 1)
        #expect(
            rows.first??.hasPrefix(
                "t x.monthly x.monthly Apple shows the product x.monthly in the receipts of 2"
                    + " users, and 1 stored entitlement names it,") == true)
    }

    @Test("Closing a run again adds no finding, and reads no other run's sightings")
    func again() async throws {
        // Zoe has a sighting in this run, Eve in another.
        try await execute(
            """
            insert into reconcile.sighted_purchase (run_id, user_id, original_transaction_id)
            values ('20261120T020000Z-000001', 'zoe', '1'), ('gone', 'eve', '1');
            insert into reconcile.run (run_id, as_of, is_everything, makes_history, scope,
                settings, evidence, rules_version, code_version, state, finished_at)
            values ('gone', now(), true, true, '{}', '{}', 'none', 1, 'test', 'failed', now())
            """)
        let pass = try await Pass(database, world())
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
