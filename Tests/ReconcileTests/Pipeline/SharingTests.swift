import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A purchase or a receipt of several users", .database, .hangLimit)
struct SharingTests: DatabaseSuite {
    /// What happens before the night, and whose rows are reported. To add a case, copy one.
    struct Sharing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changes: [StoryChange]
        var users: [String] = []
        /// Whether no other finding is reported either.
        var reportsNothing = false

        /// The purchase `unlock` with the transaction 6 is the one with 5, restored.
        static let purchases = [
            Sharing(
                testDescription: "one purchase",
                changes: [
                    .of("ann", .unlock("5"), .granted), .of("bob", .unlock("5"), .granted),
                ], users: ["ann", "bob"]),
            Sharing(
                testDescription: "one purchase, restored",
                changes: [
                    .of("ann", .unlock("5"), .granted), .of("bob", .unlock("6"), .granted),
                ], users: ["ann", "bob"]),
            Sharing(
                testDescription: "a refunded purchase",
                changes: [
                    .of("ann", .unlock("5", isRefunded: true), .granted),
                    .of("bob", .unlock("5", isRefunded: true), .granted),
                ], users: ["ann", "bob"]),
            Sharing(
                testDescription: "one user is not granted it",
                changes: [
                    .of("ann", .unlock("5"), .granted), .of("bob", .unlock("5"), .revoked),
                ], users: ["ann"]),
        ]

        /// The app gives `full` to buyers up to version 4.10.
        static let receipts = [
            Sharing(
                testDescription: "one receipt of a paid app",
                changes: [
                    .of("ann", .version("4.2"), .granted),
                    .of("bob", .version("4.2"), .granted, .copy(of: "ann")),
                ], users: ["ann", "bob"]),
            Sharing(
                testDescription: "a copy with line breaks and without padding",
                changes: [
                    .of("ann", .version("4.2"), .granted),
                    .of("bob", .version("4.2"), .granted, .copy(of: "ann")),
                    .sql(
                        #"""
                        update team.receipts
                        set data = regexp_replace(rtrim(data, '='), '(.{40})', E'\\1\r\n')
                        where who = 'bob'
                        """#),
                ], users: ["ann", "bob"]),
            Sharing(
                testDescription: "one user of the receipt is not granted the app",
                changes: [
                    .of("ann", .version("4.2"), .granted),
                    .of("bob", .version("4.2"), .revoked, .copy(of: "ann")),
                ], users: ["ann"]),
            Sharing(
                testDescription: "the app was not paid for",
                changes: [
                    .of("ann", .version("5.0"), .granted),
                    .of("bob", .version("5.0"), .granted, .copy(of: "ann")),
                ]),
            Sharing(
                testDescription: "a receipt that says less than the user's own",
                changes: [
                    .of("ann", .version("4.0"), .granted), .of("bob", .version("5.0"), .granted),
                    .sql(
                        """
                        insert into team.receipts (id, who, bundle, data, at)
                        select 'r', 'ann', bundle, data, at from team.receipts where who = 'bob'
                        """),
                ]),
            Sharing(
                testDescription: "two receipts",
                changes: [
                    .of("ann", .version("4.2"), .granted), .of("bob", .version("4.2"), .granted),
                ]),
            Sharing(
                testDescription: "a copy of the user's own receipt",
                changes: [
                    .of("ann", .version("4.2"), .granted),
                    .sql(
                        """
                        insert into team.receipts (id, who, bundle, data, at)
                        select 'again', 'ann', bundle, data, at from team.receipts
                        """),
                ], reportsNothing: true),
        ]
    }

    @Test("A shared purchase is reported for each granted row", arguments: Sharing.purchases)
    func sharedPurchase(sharing: Sharing) async throws {
        let shared = try await shared(sharing, product: "unlock", source: "app_store")
        #expect(shared.map(\.user) == sharing.users.map { UserID($0) })
        #expect(shared.map(\.entitlement) == sharing.users.map { _ in nil })
    }

    @Test(
        "A shared receipt is reported for each granted row that relies on it",
        arguments: Sharing.receipts)
    func sharedReceipt(sharing: Sharing) async throws {
        let shared = try await shared(sharing, product: "full", source: "legacy_paid")
        #expect(shared.map(\.user) == sharing.users.map { UserID($0) })
        #expect(shared.map(\.entitlement) == sharing.users.map { EntitlementID("e-\($0)") })
    }

    /// The findings about sharing, by user, when all rows are of this product.
    private func shared(
        _ sharing: Sharing, product: String, source: String
    ) async throws -> [Finding] {
        try await test.sell("full", kind: "non_consumable")
        try await execute(
            "insert into team.apps (bundle, paid, premium) values ('acme', '4.10', 'full')")
        let rows = "product = '\(product)', source = '\(source)', expires = null"
        let night = try await nights.night(
            sharing.changes + [.sql("update team.entitlements set " + rows)])
        let shared = night.findings.map(\.finding).filter { $0.kind.rawValue.hasPrefix("shared") }
        for finding in shared {
            #expect(finding.severity == .high)
            #expect(finding.direction == .leak)
            #expect(finding.proposedAction == .investigate)
        }
        if sharing.reportsNothing { #expect(night.reports == []) }
        return shared.sorted { ($0.user?.text ?? "") < ($1.user?.text ?? "") }
    }

    @Test(
        "Batch and in-flight sizes change no finding",
        arguments: [(usersPerBatch: 1, inFlight: 1), (3, 8), (100, 4)])
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
        let shared: [SharedRow] = try await test.rows(
            """
            select user_id, receipt_id, product_apple, original_transaction_id, transaction_id,
                environment, bundle_id, apple_state, apple_expires_at, reference
            from reconcile.finding where kind = 'shared_original_transaction' order by user_id
            """)
        #expect(shared == [SharedRow(of: "ann"), SharedRow(of: "bob")])
        try await expectOther("zoe", for: "ann")
        try await expectOther("ann", for: "bob")
        // A product outside the catalogue is reported once for all users who have it.
        let unknown: [UnknownRow] = try await test.rows(
            """
            select user_id, product_apple, reference from reconcile.finding
            where kind = 'unknown_product'
            """)
        #expect(
            unknown == [UnknownRow(userID: nil, productApple: "x.monthly", reference: "x.monthly")])
        let explanation = try await explanation(of: "kind = 'unknown_product'")
        #expect(explanation.hasPrefix(Self.unknownProduct))
        // To close the run again adds none.
        let findings = try await findings()
        #expect(try await pass.summary() == summary)
        #expect(try await self.findings() == findings)
    }

    /// The finding about the subscription 1 of one of its users.
    private struct SharedRow: Equatable, Decodable {
        let userID: String
        let receiptID: String
        var productApple = "pro.monthly"
        var originalTransactionID = "1"
        var transactionID = "1"
        var environment = "Production"
        var bundleID = "acme"
        var appleState = "active"
        var appleExpiresAt = "2026-12-10T02:00:00+00:00"
        var reference = "1"

        init(of user: String) {
            userID = user
            receiptID = user
        }
    }

    private struct UnknownRow: Equatable, Decodable {
        let userID: String?
        let productApple: String
        let reference: String
    }

    private static let unknownProduct =
        "Apple shows the product x.monthly in the receipts of 2 users, and 1 stored entitlement"
        + " names it"

    /// Expects that a user's finding names this one of the four who share the subscription.
    private func expectOther(_ other: String, for user: String) async throws {
        let explanation = try await explanation(
            of: "kind = 'shared_original_transaction' and user_id = '\(user)'")
        #expect(explanation.contains("4 users, one of the others being \(other)"), "\(user)")
    }

    /// The sentence of the only finding of which `condition` is true.
    private func explanation(of condition: String) async throws -> String {
        let sentences = try await texts(
            "select explanation from reconcile.finding where \(condition)")
        try #require(sentences.count == 1)
        return try #require(sentences[0])
    }
}
