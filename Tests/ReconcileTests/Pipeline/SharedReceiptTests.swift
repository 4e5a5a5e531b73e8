import Testing

@testable import Reconcile
@testable import TestSupport

/// Receipts and rows of ann and bob; the app gives `full` to buyers up to version 4.10.
struct SharedReceiptCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The version in the receipt `one`, which both have; `own` is ann's alone.
    var version = "4.2"
    var ownVersion: String?
    /// How bob's copy is stored.
    var copy: @Sendable (String) -> String = { $0 }
    var isOne = true
    var source = "legacy_paid"
    var granted = (ann: true, bob: true)
    let accused: [String]
}

@Suite("A receipt that is stored for several users", .timeLimit(.minutes(10)))
struct SharedReceiptTests {
    static let cases: [SharedReceiptCase] = [
        SharedReceiptCase(
            testDescription: "accuses both rows that it gives",
            accused: ["ann e-ann", "bob e-bob"]),
        SharedReceiptCase(
            testDescription: "accuses both when one copy has line breaks and no padding",
            copy: { text in
                text.prefix(40) + "\r\n" + text.dropFirst(40).replacing("=", with: "")
            }, accused: ["ann e-ann", "bob e-bob"]),
        SharedReceiptCase(
            testDescription: "accuses one when the other is not granted", granted: (true, false),
            accused: ["ann e-ann"]),
        SharedReceiptCase(
            testDescription: "gives no finding when it gives nothing", version: "5.0", accused: []),
        SharedReceiptCase(
            testDescription: "gives no finding for a right from one user's own receipt",
            version: "5.0", ownVersion: "4.0", accused: []),
        SharedReceiptCase(
            testDescription: "accuses no row of the App Store", source: "app_store", accused: []),
        SharedReceiptCase(
            testDescription: "is none when each has a receipt", isOne: false, accused: []),
    ]

    @Test("The receipt is reported for each row that relies on it", arguments: cases)
    func shared(shared: SharedReceiptCase) async throws {
        try await TestDatabase.connected { test, database in
            try await test.sell("full", kind: "non_consumable")
            try await test.execute(
                "insert into team.apps values ('acme', '4.10', null, 'full')")
            let apple = try ScriptedApple { ask in
                let isOwn = ask.receipt == TestDatabase.receipt("own")
                let version = isOwn ? shared.ownVersion ?? "" : shared.version
                return [.reply(AppleLine.answer(version: version))]
            }
            let data = TestDatabase.receipt("one")
            try await test.store(receipt: "r-ann", of: "ann", data: .text(data))
            let copy = shared.isOne ? shared.copy(data) : TestDatabase.receipt("two")
            try await test.store(receipt: "r-bob", of: "bob", data: .text(copy))
            if shared.ownVersion != nil { try await test.store(receipt: "own", of: "ann") }
            for (user, isActive) in [("ann", shared.granted.ann), ("bob", shared.granted.bob)] {
                try await test.store(
                    entitlement: "e-\(user)", of: user, to: "full", isActive: isActive,
                    source: shared.source)
            }
            let pass = try await Pass(database, apple, usersPerBatch: 1)
            try await pass.reconcile()
            _ = try await pass.summary()
            let rows = try await test.texts(
                """
                select concat_ws(' ', user_id, entitlement_id, severity, direction,
                    proposed_action)
                from reconcile.finding where kind = 'shared_receipt' order by user_id
                """)
            #expect(rows == shared.accused.map { "\($0) high leak investigate" })
        }
    }

    @Test("A receipt that is stored twice for one user is not shared")
    func twiceForOne() async throws {
        try await TestDatabase.connected { test, database in
            try await test.sell("full", kind: "non_consumable")
            try await test.execute(
                "insert into team.apps values ('acme', '4.10', null, 'full')")
            let apple = try ScriptedApple { _ in [.reply(AppleLine.answer(version: "4.2"))] }
            for id in ["r1", "r2"] {
                try await test.store(
                    receipt: id, of: "ann", data: .text(TestDatabase.receipt("one")))
            }
            try await test.store(
                entitlement: "e-ann", of: "ann", to: "full", source: "legacy_paid")
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            _ = try await pass.summary()
            #expect(try await pass.findings(test) == [])
        }
    }
}
