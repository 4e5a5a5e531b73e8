import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// What Apple shows of a receipt that the service stored under its digest, and what is found.
struct UnclaimedCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let shown: [String]
    /// Of each finding.
    var found: [Found] = []

    struct Found: Equatable, Decodable {
        let kind: FindingKind
        let direction: Direction
    }
}

/// To add a case: an `UnclaimedCase` with the lines that Apple shows of the receipt, and what is
/// found about them.
@Suite("A receipt that the service stored without a user", .database, .hangLimit)
struct UnclaimedReceiptTests: DatabaseSuite {
    private static let month = AppleAnswer.period("1", from: -10, to: 20)
    private static let unlock = AppleAnswer.purchase("5", of: "unlock")
    private static let refunded = AppleAnswer.period("1", from: -20, to: 10, cancelled: -5)

    private static func digest(of receipt: String) throws -> String {
        let text = Array(TestDatabase.receipt(receipt).utf8)
        return Digest.sha256(try #require(Base64.decode(text)).bytes).hexadecimal
    }

    /// - Parameter receipts: each stored under its own digest.
    private func storeUnclaimed(_ receipts: String...) async throws {
        for receipt in receipts {
            try await test.store(receipt: receipt, of: try Self.digest(of: receipt))
        }
    }

    private func sell() async throws {
        try await test.sell("pro.monthly")
        for product in ["unlock", "full"] { try await test.sell(product, kind: "non_consumable") }
    }

    /// By their version, all receipts are of customers who bought the app.
    private func sellPaidApp() async throws {
        try await sell()
        try await execute(
            "insert into team.apps (bundle, paid, premium) values ('acme', '5.0', 'full')")
    }

    /// What the next night reports.
    private func found(
        in number: Int = 1, by apple: ScriptedApple
    ) async throws -> [StoredFinding] {
        let pass = try await Pass(
            database, apple, night: number, asOf: .asOf + .seconds(number * 3_600))
        try await pass.finish()
        try await database.ledger.publish(pass.run.id, at: .asOf, under: nil)
        return try await findings(of: pass.run.id)
    }

    @Test(
        "Nothing is owed to it, and its end is no event",
        arguments: [
            UnclaimedCase(testDescription: "a running month, in a paid app", shown: [month]),
            UnclaimedCase(testDescription: "a purchase for good", shown: [unlock]),
            UnclaimedCase(
                testDescription: "a month that has ended",
                shown: [AppleAnswer.period("1", from: -40, to: -10)]),
            UnclaimedCase(
                testDescription: "a refund, which revokes the keys", shown: [refunded],
                found: [.init(kind: .refundRecorded, direction: .none)]),
            UnclaimedCase(
                testDescription: "a product that the catalogue lacks",
                shown: [AppleAnswer.period("1", of: "x.monthly", from: -10, to: 20)],
                found: [.init(kind: .unknownProduct, direction: .none)]),
        ])
    func accuses(nobody scene: UnclaimedCase) async throws {
        try await sellPaidApp()
        try await storeUnclaimed("r1")
        let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified(scene.shown))] }
        let summary = try await Pass(database, apple).finish()
        #expect(apple.asks.count == 1)
        #expect(summary.receipts[.verified] == 1)
        let found: [UnclaimedCase.Found] = try await test.rows(
            "select kind, direction from reconcile.finding")
        #expect(found == scene.found)
        let owed = "select count(*) from reconcile.finding where money_bucket = 'owed'"
        #expect(try await texts(owed) == ["0"])
    }

    @Test("`explain` knows what it shows, and why nothing is owed")
    func record() async throws {
        try await sellPaidApp()
        try await storeUnclaimed("r1")
        try await Pass(database, ScriptedApple { _ in [.verified(Self.unlock)] }).finish()
        let rights: [RecordedRight] = try await test.rows(
            """
            select value ->> 'g' as product, value ->> 'v' as outcome, value ->> 'c' as cause
            from reconcile.judged_user cross join json_array_elements(record -> 'v') order by 1
            """)
        #expect(
            rights == [RecordedRight(product: "product:full"), .init(product: "product:unlock")])
        #expect(NotReported.Cause.unclaimed.inWords.contains("without a user"))
    }

    private struct RecordedRight: Equatable, Decodable {
        let product: String
        var outcome = "not_judged"
        var cause = "unclaimed"
    }

    @Test("Offline, where nothing is requested, it is recognized too")
    func offline() async throws {
        let text = TestDatabase.receipt("r1")
        var user = StoredUser(user: UserID(try Self.digest(of: "r1")))
        user.receipts = [
            StoredReceipt(
                id: "r1", user: user.user, bundle: "acme",
                data: ReceiptData(text: Array((text + "\n").utf8)), storedAt: .asOf)
        ]
        let inquiry = Inquiry(about: user.receipts, skippedFor: .offline)
        let answers = inquiry.concluded { refusal, _ in refusal.confirmed }
        #expect(user.isUnclaimed(answers))
        user.user = "r1"
        #expect(!user.isUnclaimed(answers))
    }

    @Test("A customer with the same purchase or receipt is not accused of sharing it")
    func sharesNothing() async throws {
        try await sellPaidApp()
        try await storeUnclaimed("r1", "r2")
        try await test.store(receipt: "own", of: "ann")
        // The same bytes, stored once by the team and once by the service.
        let same = TestDatabase.StoredText.text(TestDatabase.receipt("r1"))
        try await test.store(receipt: "copy", of: "bob", data: same)
        for user in ["ann", "bob"] {
            try await test.store(entitlement: "\(user)-month", of: user)
            try await test.store(
                entitlement: "\(user)-full", of: user, to: "full", source: "legacy_paid")
        }
        let apple = try ScriptedApple { ask in
            [.verified(ask.shows("r1") ? Self.unlock : Self.month)]
        }
        try await test.store(entitlement: "bob-unlock", of: "bob", to: "unlock")
        try await execute("delete from team.entitlements where id = 'bob-month'")
        try await execute("update team.entitlements set expires = null")
        try await execute(
            "update team.entitlements set expires = '2026-12-10 02:00Z' where id = 'ann-month'")
        #expect(try await found(by: apple) == [])
    }

    @Test("A refund is reported once: of a customer who shows it, else of the first receipt")
    func refundOnce() async throws {
        try await sell()
        try await storeUnclaimed("r1", "r2")
        let apple = try ScriptedApple { _ in [.verified(Self.refunded)] }
        let first = try ["r1", "r2"].map { try Self.digest(of: $0) }.min() ?? ""
        #expect(try await found(in: 1, by: apple) == [.init(.refundRecorded, of: first)])
        #expect(try await found(in: 2, by: apple) == [])
        try await test.store(receipt: "own", of: "ann")
        #expect(try await found(in: 3, by: apple) == [])
    }

    @Test("A refund that a customer shows in the same night is the customer's alone")
    func refundOfCustomer() async throws {
        try await sell()
        try await storeUnclaimed("r1")
        try await test.store(receipt: "own", of: "zoe")
        let refunded = Shared(true)
        let apple = try ScriptedApple { _ in
            [.verified(refunded.current ? Self.refunded : Self.month)]
        }
        #expect(try await found(in: 1, by: apple) == [.init(.refundRecorded, of: "zoe")])
        #expect(try await found(in: 2, by: apple) == [])
        try await test.store(entitlement: "e", of: "zoe", expires: "2026-12-10T02:00:00Z")
        refunded.update { $0 = false }
        #expect(try await found(in: 3, by: apple) == [.init(.refundReversed, of: "zoe")])
        #expect(try await found(in: 4, by: apple) == [])
    }

    @Test("A user with an id like a digest, or with rows under the digest, is judged as any other")
    func claimed() async throws {
        try await sell()
        let other = String(repeating: "a", count: 64)
        try await test.store(receipt: "r1", of: other)
        try await storeUnclaimed("r2")
        let digest = try Self.digest(of: "r2")
        try await test.store(entitlement: "e2", of: digest, to: "unlock", isActive: false)
        let apple = try ScriptedApple { _ in [.verified(Self.unlock)] }
        let found = try await found(by: apple)
        #expect(found.map(\.kind) == [.ownedNotGranted, .ownedNotGranted])
        #expect(Set(found.map(\.userID)) == [digest, other])
    }
}
