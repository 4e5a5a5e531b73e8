import Testing

@testable import Reconcile
@testable import TestSupport

/// Two users, ann and bob, and the transactions in their receipts.
struct SharedCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let ann: [String]
    let bob: [String]
    var product = "unlock"
    /// Whether each user's row grants the product.
    var rows: (ann: Bool, bob: Bool) = (true, true)
    var version = (ann: "5.0", bob: "5.0")
    /// The users with a finding of the kind.
    let accused: [String]
}

@Suite("A purchase in the receipts of several users", .timeLimit(.minutes(10)))
struct SharedPurchaseTests {
    private static let unlock = AppleLine.once("5", "unlock", bought: -60)
    private static let pass = AppleLine.once("5", "pass", bought: -10)

    private static func month(_ more: AppleLine.Members = [:]) -> String {
        AppleLine.period("5", of: "5", from: -10, to: 20, with: more)
    }

    static let cases: [SharedCase] = [
        SharedCase(
            testDescription: "for a lifetime accuses both", ann: [unlock], bob: [unlock],
            accused: ["ann", "bob"]),
        SharedCase(
            testDescription: "restored under an id of its own accuses both", ann: [unlock],
            bob: [AppleLine.once("6", of: "5", "unlock", bought: -9)], accused: ["ann", "bob"]),
        SharedCase(
            testDescription: "that was refunded accuses both",
            ann: [AppleLine.once("5", "unlock", bought: -60, cancelled: -9)],
            bob: [AppleLine.once("5", "unlock", bought: -60, cancelled: -9)],
            accused: ["ann", "bob"]),
        SharedCase(
            testDescription: "that one of them is not granted accuses the other",
            ann: [unlock], bob: [unlock], rows: (true, false), accused: ["ann"]),
        SharedCase(
            testDescription: "of a pass accuses both", ann: [pass], bob: [pass], product: "pass",
            accused: ["ann", "bob"]),
        SharedCase(
            testDescription: "of the family gives no finding",
            ann: [AppleLine.once("5", "unlock", bought: -60, with: AppleLine.familyShared)],
            bob: [AppleLine.once("5", "unlock", bought: -60, with: AppleLine.familyShared)],
            accused: []),
        SharedCase(
            testDescription: "of a subscription accuses both", ann: [month()], bob: [month()],
            product: "pro.monthly", accused: ["ann", "bob"]),
        SharedCase(
            testDescription: "of a subscription of the family gives no finding",
            ann: [month(AppleLine.familyShared)], bob: [month(AppleLine.familyShared)],
            product: "pro.monthly", accused: []),
        SharedCase(
            testDescription: "that each made gives no finding", ann: [unlock],
            bob: [AppleLine.once("6", "unlock", bought: -60)], accused: []),
        SharedCase(
            testDescription: "beside a newer one of her own accuses the other",
            ann: [unlock, AppleLine.once("7", "unlock", bought: -5)], bob: [unlock],
            accused: ["bob"]),
        SharedCase(
            testDescription: "of coins gives no finding",
            ann: [AppleLine.once("5", "coins", bought: -60)],
            bob: [AppleLine.once("5", "coins", bought: -60)], product: "coins", accused: []),
    ]

    @Test("The purchase is reported for each user whose granted row it gives", arguments: cases)
    func shared(shared: SharedCase) async throws {
        try await TestDatabase.connected { test, database in
            try await test.sell("pro.monthly")
            try await test.sell("unlock", kind: "non_consumable")
            try await test.sell("coins", kind: "consumable")
            try await test.execute(
                "insert into team.products values ('pass', 'non_renewing', null, null, '30 days')")
            let apple = try ScriptedApple { ask in
                let lines = ask.receipt == TestDatabase.receipt("ann") ? shared.ann : shared.bob
                return [.reply(AppleLine.answer(inApp: lines))]
            }
            for (user, isActive) in [("ann", shared.rows.ann), ("bob", shared.rows.bob)] {
                try await test.store(receipt: user, of: user)
                try await test.store(
                    entitlement: "e-\(user)", of: user, to: shared.product, isActive: isActive)
            }
            let pass = try await Pass(database, apple, usersPerBatch: 1)
            try await pass.reconcile()
            _ = try await pass.summary()
            let rows = try await test.texts(
                """
                select concat_ws(' ', user_id, product_apple, original_transaction_id, severity,
                    direction, proposed_action)
                from reconcile.finding where kind = 'shared_original_transaction' order by user_id
                """)
            #expect(
                rows == shared.accused.map { "\($0) \(shared.product) 5 high leak investigate" })
            let sentences = try await test.texts(
                """
                select explanation from reconcile.finding
                where kind = 'shared_original_transaction'
                """)
            #expect(sentences.allSatisfy { $0?.contains("who paid") == true })
        }
    }
}
