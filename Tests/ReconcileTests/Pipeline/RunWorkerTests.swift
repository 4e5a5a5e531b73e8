import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A worker of a run", .timeLimit(.minutes(10)))
struct RunWorkerTests {
    private static let active = AppleAnswer.period("2", from: -10, to: 20)
    private static let expired = AppleAnswer.period("1", from: -60, to: -30)

    @Test("The worker records every receipt's outcome, and the findings")
    func records() async throws {
        try await TestDatabase.connected { test, database in
            let apple = try Self.apple([
                "ann": .reply(AppleAnswer.verified([Self.expired])),
                "bob": .reply(AppleAnswer.verified([Self.active])),
                "cyd": .reply(AppleAnswer.status(21003)), "dan": .reset,
            ])
            try await test.sell("pro.monthly")
            for user in ["ann", "bob", "cyd", "dan"] {
                try await test.store(receipt: user, of: user)
            }
            for user in ["ann", "bob", "cyd", "dan", "eve"] {
                try await test.store(
                    entitlement: "e-\(user)", of: user, expires: "2026-12-10T02:00:00Z")
            }
            let pass = try await Pass(database, apple, usersPerBatch: 2)
            try await pass.reconcile()
            #expect(
                try await pass.outcomes(test) == [
                    "ann verified 1", "bob verified 1", "cyd rejected not_authentic 1",
                    "dan unverified connection_failed 2",
                ])
            #expect(
                try await pass.findings(test) == [
                    "expired_still_granted ann e-ann", "grant_without_receipt eve e-eve",
                    "grant_without_transaction cyd e-cyd", "receipt_not_authentic cyd",
                ])
            let summary = try await pass.summary()
            #expect(summary.receipts == .of(verified: 2, rejected: 1, unverified: 1))
            #expect(summary.entitlements == .of(consistent: 1, withFinding: 3, unverified: 1))
            #expect(summary.findings.total == 4)
            // Each receipt once, Dan's twice; and in the second look Cyd's, with Ann and Bob as
            // controls.
            #expect(summary.requests.sent == 8 && summary.requests.retries == 1)
            #expect(summary.requests.byStatus == [0: 4, 21003: 2])
            #expect(summary.requests.byHTTPStatus == [200: 6])
            #expect(apple.asks.count == 8)
            #expect(summary.oldestVerifiedAt == .asOf)
        }
    }

    @Test("Identical receipts of one user are sent once, and each gets the outcome")
    func identical() async throws {
        try await TestDatabase.connected { test, database in
            let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified([Self.active]))] }
            let receipt = TestDatabase.receipt("same")
            try await test.sell("pro.monthly")
            try await test.store(receipt: "r1", of: "ann", data: .text(receipt))
            try await test.store(receipt: "r2", of: "ann", data: .text(receipt + "\n"))
            try await test.store(receipt: "r3", of: "bob", data: .text(receipt))
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            let outcomes = ["r1 verified 1", "r2 verified 1", "r3 verified 1"]
            #expect(try await pass.outcomes(test) == outcomes)
            #expect(try await pass.findings(test).count == 2)
            #expect(apple.asks.count == 2)
            #expect(try await pass.summary().requests.sent == 2)
        }
    }

    @Test("Data that is no receipt is never sent, and counts as missing evidence")
    func unusable() async throws {
        try await TestDatabase.connected { test, database in
            let apple = try ScriptedApple(status: 0)
            try await test.sell("pro.monthly")
            try await test.store(receipt: "r1", of: "ann", data: .text(""))
            try await test.store(receipt: "r2", of: "ann", data: .text("bm90aGluZw=="))
            try await test.store(receipt: "r3", of: "bob", data: .text("eyJh.eyJi.c2ln"))
            for user in ["ann", "bob"] { try await test.store(entitlement: user, of: user) }
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            #expect(
                try await pass.outcomes(test) == [
                    "r1 unusable empty 0", "r2 unusable not_a_receipt 0", "r3 unusable jws 0",
                ])
            #expect(apple.asks.isEmpty)
            let summary = try await pass.summary()
            #expect(summary.receipts == .of(unusable: 3))
            #expect(summary.entitlements == .of(unverified: 2))
            #expect(summary.findings.byKind == [.receiptMalformed: 2, .receiptIsJWS: 1])
        }
    }

    @Test("Receipt rows with a forbidden null are counted, and accuse no user")
    func invalidReceipts() async throws {
        try await TestDatabase.connected { test, database in
            let apple = try ScriptedApple(status: 0)
            try await test.sell("pro.monthly")
            try await test.store(receipt: "r1", of: "ann", bundle: nil)
            try await test.store(receipt: "r2", of: "bob", data: .null)
            try await test.store(receipt: "r3", of: "cyd", at: nil)
            try await test.store(receipt: "r4", of: nil)
            try await test.store(receipt: nil, of: "dan")
            for user in ["ann", "bob", "cyd", "dan"] {
                try await test.store(entitlement: user, of: user)
            }
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            let why = "unusable stored_row_invalid 0"
            #expect(
                try await pass.outcomes(test)
                    == ["r1 \(why)", "r2 \(why)", "r3 \(why)", "r4 \(why)", why])
            #expect(try await pass.findings(test) == [])
            #expect(apple.asks.isEmpty)
            let summary = try await pass.summary()
            #expect(summary.receipts == .of(unusable: 5))
            #expect(summary.entitlements == .of(unverified: 4))
            #expect(
                pass.skipped.sorted()
                    == ["-", "r1", "r2", "r3", "r4"].map {
                        "stored_receipts \($0) null in a required column"
                    })
        }
    }

    @Test("Entitlement rows with a forbidden null are not judged, and are logged")
    func invalidEntitlements() async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(entitlement: "e1", of: "ann", to: nil)
            try await test.store(entitlement: "e2", of: "ann", isActive: nil, source: nil)
            try await test.store(entitlement: "e3", of: nil)
            try await test.store(entitlement: nil, of: "ann", updated: nil)
            try await test.store(entitlement: "e5", of: "ann", source: "gift")
            let pass = try await Pass(database, try ScriptedApple(status: 0))
            try await pass.reconcile()
            let summary = try await pass.summary()
            #expect(summary.entitlements == .of(notJudged: 5))
            #expect(summary.findings.total == 0 && summary.requests.sent == 0)
            #expect(
                pass.skipped.sorted() == [
                    "stored_entitlements - null in entitlement_id, updated_at",
                    "stored_entitlements e1 null in product_id",
                    "stored_entitlements e2 null in is_active, source",
                    "stored_entitlements e3 null in user_id",
                ])
        }
    }

    /// A script that answers each stored receipt by its id, repeatedly.
    private static func apple(_ acts: [String: LoopbackServer.Act]) throws -> ScriptedApple {
        let byReceipt = Dictionary(
            uniqueKeysWithValues: acts.map { (TestDatabase.receipt($0), $1) })
        return try ScriptedApple { ask in [byReceipt[ask.receipt] ?? .hangUp] }
    }
}

extension ReceiptTally {
    fileprivate static func of(
        verified: Int = 0, rejected: Int = 0, unusable: Int = 0, unverified: Int = 0
    ) -> ReceiptTally {
        var tally = ReceiptTally()
        tally.verified = verified
        tally.rejected = rejected
        tally.unusable = unusable
        tally.unverified = unverified
        tally.inScope = tally.buckets
        return tally
    }
}

extension EntitlementTally {
    fileprivate static func of(
        consistent: Int = 0, withFinding: Int = 0, unverified: Int = 0, notJudged: Int = 0
    ) -> EntitlementTally {
        var tally = EntitlementTally()
        tally.consistent = consistent
        tally.withFinding = withFinding
        tally.unverified = unverified
        tally.notJudged = notJudged
        tally.inScope = tally.buckets
        return tally
    }
}
