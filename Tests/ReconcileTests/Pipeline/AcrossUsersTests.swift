import Testing

@testable import Reconcile
@testable import TestSupport

/// Findings that need the receipts of several users.
@Suite("Findings across users", .timeLimit(.minutes(10)))
struct AcrossUsersTests {
    private static let shared = AppleAnswer.period("1", from: -10, to: 20)
    private static let own = AppleAnswer.period("2", from: -10, to: 20)
    private static let unknown = AppleAnswer.period("3", of: "x.monthly", from: -10, to: 20)

    @Test(
        "A subscription of several users is reported for each user who is granted it",
        arguments: [1, 100])
    func shared(usersPerBatch: Int) async throws {
        try await world { test, database, apple in
            let pass = try await Pass(database, apple, usersPerBatch: usersPerBatch)
            try await pass.reconcile()
            let summary = try await pass.summary()
            let findings = try await pass.findings(test)
            #expect(
                findings.filter { $0.hasPrefix("shared") } == [
                    "shared_original_transaction ann", "shared_original_transaction bob",
                ])
            #expect(summary.findings.byKind[.sharedOriginalTransaction] == 2)
            let rows = try await test.texts(
                """
                select concat_ws(' ', user_id, receipt_id, product_apple, original_transaction_id,
                    transaction_id, environment, bundle_id, apple_state, apple_expires_at,
                    reference)
                from reconcile.finding where kind = 'shared_original_transaction' order by user_id
                """)
            let columns = "pro.monthly 1 1 Production acme active 2026-12-10 02:00:00+00 1"
            #expect(rows == ["ann ann \(columns)", "bob bob \(columns)"])
            let sentences = try await test.texts(
                """
                select explanation from reconcile.finding
                where kind = 'shared_original_transaction' order by user_id
                """)
            #expect(sentences[0]?.contains("3 users, one of the others being dan") == true)
        }
    }

    @Test("A product outside the catalogue is reported once for all users who have it")
    func unknownProduct() async throws {
        try await world { test, database, apple in
            let pass = try await Pass(database, apple, usersPerBatch: 1)
            try await pass.reconcile()
            _ = try await pass.summary()
            let rows = try await test.texts(
                """
                select concat_ws(' ', user_id is null, product_apple, reference, explanation)
                from reconcile.finding where kind = 'unknown_product'
                """)
            #expect(rows.count == 1)
            #expect(
                rows.first??.hasPrefix(
                    "t x.monthly x.monthly Apple shows the product x.monthly in the receipts of 2"
                        + " users, and 1 stored entitlement names it,") == true)
        }
    }

    @Test("A partial run compares the users that it read, and no others")
    func scoped() async throws {
        try await world { test, database, apple in
            let pass = try await Pass(
                database, apple, scope: .selected(users: ["ann", "cyd"], receipts: []))
            try await pass.reconcile()
            _ = try await pass.summary()
            let findings = try await pass.findings(test)
            #expect(!findings.contains { $0.hasPrefix("shared") })
        }
    }

    @Test("Closing a run again adds no finding, and reads no other run's sightings")
    func again() async throws {
        try await world { test, database, apple in
            try await test.execute(
                """
                insert into reconcile.sighted_purchase
                (run_id, user_id, original_transaction_id)
                values ('20261120T020000Z-000001', 'zoe', '1'), ('gone', 'eve', '1')
                """)
            try await test.execute(
                """
                insert into reconcile.run (run_id, as_of, is_everything, makes_history, scope,
                    settings, evidence, rules_version, code_version, state, finished_at)
                values ('gone', now(), true, true, '{}', '{}', 'none', 1, 'test', 'failed', now())
                """)
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            let first = try await pass.summary()
            let findings = try await pass.findings(test)
            #expect(try await pass.summary() == first)
            #expect(try await pass.findings(test) == findings)
            // Zoe has a sighting in this run, Eve in another.
            let users = try await test.texts(
                "select distinct substring(explanation from '[0-9]+ users') from reconcile.finding"
                    + " where kind = 'shared_original_transaction'")
            #expect(users == ["4 users"])
        }
    }

    /// Ann, Bob and Dan share a subscription, which Dan is not granted; Cyd and Eve have their own
    /// and a product outside the catalogue.
    private func world(
        _ body: (TestDatabase, Database, ScriptedApple) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.sell("pro.monthly")
            for user in ["ann", "bob", "cyd", "dan", "eve"] {
                try await test.store(receipt: user, of: user)
            }
            for user in ["ann", "bob", "cyd"] {
                try await test.store(
                    entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
            }
            try await test.store(entitlement: "e-dan", of: "dan", isActive: false)
            try await test.store(
                entitlement: "x-flo", of: "flo", to: "x.monthly", source: "promo")
            let byReceipt = [
                "ann": [Self.shared], "bob": [Self.shared], "dan": [Self.shared],
                "cyd": [Self.own, Self.unknown], "eve": [Self.unknown],
            ].map { (TestDatabase.receipt($0.key), AppleAnswer.verified($0.value)) }
            let answers = Dictionary(uniqueKeysWithValues: byReceipt)
            let apple = try ScriptedApple { ask in
                [.reply(answers[ask.receipt] ?? AppleAnswer.status(21_003))]
            }
            try await body(test, database, apple)
        }
    }
}
