import Testing

@testable import Reconcile
@testable import TestSupport

/// What a stored receipt shows of one purchase, who signed it, and what becomes of the user's row.
struct VanishedCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var product = "pro.monthly"
    /// The end of the period in days from the night; nil for a product that is bought once.
    var end: Double? = 14
    var kind: UInt8 = 3
    var cancelled: String = ""
    var authority = ReceiptAuthority.shared
    var bundle = "acme"
    var environment = "Production"
    var entitledTo = "pro.monthly"
    /// What Apple's answer has.
    var answered: [String] = []
    let bucket: EntitlementBucket
    let isContradiction: Bool

    var receipt: [UInt8] {
        var forge = PayloadForge(createdAt: "2026-11-10T00:00:00Z")
        forge.bundle = bundle
        forge.environment = environment
        forge.purchases = [
            PayloadForge.purchase(
                product, id: "77", of: "7", at: Instant.day(-16).description,
                expires: end.map { Instant.day($0).description } ?? "", cancelled: cancelled,
                kind: kind, with: [(1_711, [2, 1, 9])])
        ]
        return forge.signed(by: authority)
    }
}

/// To add a case: a `VanishedCase` with what differs from a signed running month that the answer
/// lacks, the bucket of the row, and whether the receipt contradicts the answer.
@Suite("A purchase that vanished", .database, .hangLimit)
struct VanishedPurchaseTests: DatabaseSuite {
    private static func period(_ id: String, of chain: String, order: String = "1") -> String {
        AppleLine.period(id, of: chain, from: -16, to: 14, cancelled: nil, order: order)
    }

    private static let upgraded = AppleLine.once(
        "78", of: "7", "pro.yearly", bought: -5, cancelled: nil,
        [("expires_date_ms", AppleLine.ms(360)), ("is_upgraded", "true")])

    @Test(
        "A receipt that Apple signed and whose answer lacks it keeps the row from being accused",
        arguments: [
            VanishedCase(
                testDescription: "a running month", bucket: .unverified, isContradiction: true),
            VanishedCase(
                testDescription: "a row of another product of the group",
                entitledTo: "pro.yearly", bucket: .unverified, isContradiction: true),
            VanishedCase(
                testDescription: "a product that is owned for good", product: "unlock", end: nil,
                kind: 0, entitledTo: "unlock", bucket: .unverified, isContradiction: true),
            VanishedCase(
                testDescription: "a pass within its time", product: "pass", end: nil, kind: 2,
                entitledTo: "pass", bucket: .unverified, isContradiction: true),
            VanishedCase(
                testDescription: "signed by a stranger", authority: .other,
                bucket: .withFinding, isContradiction: false),
            VanishedCase(
                testDescription: "a month that has ended", end: -2, bucket: .withFinding,
                isContradiction: false),
            VanishedCase(
                testDescription: "a month that was refunded before",
                cancelled: "2026-11-09T00:00:00Z", bucket: .withFinding, isContradiction: false),
            VanishedCase(
                testDescription: "of another right", product: "unlock", end: nil, kind: 0,
                bucket: .withFinding, isContradiction: true),
            VanishedCase(
                testDescription: "a consumable", product: "coins", end: nil, kind: 1,
                bucket: .withFinding, isContradiction: false),
            VanishedCase(
                testDescription: "of the sandbox", environment: "ProductionSandbox",
                bucket: .withFinding, isContradiction: false),
            VanishedCase(
                testDescription: "the period under another id, with its line item",
                answered: [
                    AppleLine.once(
                        "90", of: "9", "pro.monthly", bought: -16, cancelled: nil,
                        [
                            ("expires_date_ms", AppleLine.ms(14)), ("is_upgraded", "true"),
                            ("web_order_line_item_id", "9"),
                        ])
                ], bucket: .withFinding, isContradiction: false),
            VanishedCase(
                testDescription: "a later transaction of its chain, which was upgraded",
                answered: [upgraded], bucket: .withFinding, isContradiction: false),
            VanishedCase(
                testDescription: "still in the answer", answered: [period("77", of: "7")],
                bucket: .withFinding, isContradiction: false),
        ])
    func signed(of user: VanishedCase) async throws {
        try await sellProducts()
        try await test.store(
            receipt: "r1", of: "ann", data: .text(base64(user.receipt)),
            at: "2026-11-10T00:00:00Z")
        try await grant(user.entitledTo)
        let answer = AppleLine.answer(latest: user.answered)
        let pass = try await Pass(
            database, ScriptedApple { _ in [.reply(answer)] }, roots: .testing)
        let summary = try await pass.finish()
        #expect(summary.entitlements.ofRows == [user.bucket])
        let contradictions = try await findings(among: [.receiptContradictsAnswer])
        let expected = StoredFinding(.receiptContradictsAnswer, of: "ann")
        #expect(contradictions == (user.isContradiction ? [expected] : []))
    }
}

extension DatabaseSuite {
    fileprivate func sellProducts() async throws {
        try await test.sell("pro.monthly", group: "G")
        try await test.sell("pro.yearly", group: "G")
        try await test.sell("unlock", kind: "non_consumable")
        try await test.sell("pass", kind: "non_renewing", duration: "30 days")
        try await test.sell("coins", kind: "consumable")
    }

    fileprivate func grant(_ product: String) async throws {
        try await test.store(
            entitlement: "e1", of: "ann", to: product, expires: "2027-12-04T02:00:00Z")
    }
}

/// What Apple answers in two nights, and what becomes of the user's row in the second.
struct ForgottenCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var first: [String] = []
    /// Bought once; in `in_app`.
    var firstOnce: [String] = []
    var second: [String] = []
    var product = "pro.monthly"
    var daysApart = 1.0
    /// Whether a night 15 days after the first finds the same.
    var isSeenBetween = false
    var evidence = Evidence.findings
    var isPublished = true
    let bucket: EntitlementBucket
}

/// To add a case: a `ForgottenCase` with the lines of the first answer, what changes, and the
/// bucket of the row in the last night.
@Suite("A purchase that an earlier run judged", .database, .hangLimit)
struct ForgottenPurchaseTests: DatabaseSuite {
    private static func month(
        _ id: String = "77", of chain: String = "7", to end: Double = 60, order: String = "9",
        cancelled: Double? = nil, isUpgraded: Bool = false
    ) -> String {
        AppleLine.once(
            id, of: chain, "pro.monthly", bought: -16, cancelled: cancelled,
            [
                ("expires_date_ms", AppleLine.ms(end)), ("web_order_line_item_id", order),
                ("is_upgraded", isUpgraded ? "true" : nil),
            ])
    }

    private static func once(_ id: String, of original: String, _ product: String) -> String {
        AppleLine.once(id, of: original, product, bought: -16, cancelled: nil)
    }

    @Test(
        "It is missed for 30 days when no answer shows it, whatever evidence is kept",
        arguments: [
            ForgottenCase(
                testDescription: "a running month", first: [month()], bucket: .unverified),
            ForgottenCase(
                testDescription: "with --evidence none", first: [month()], evidence: .none,
                bucket: .unverified),
            ForgottenCase(
                testDescription: "29 days later", first: [month()], daysApart: 29,
                bucket: .unverified),
            ForgottenCase(
                testDescription: "31 days later", first: [month()], daysApart: 31,
                bucket: .withFinding),
            ForgottenCase(
                testDescription: "31 days later, last judged 16 days before", first: [month()],
                daysApart: 31, isSeenBetween: true, bucket: .unverified),
            ForgottenCase(
                testDescription: "in a run that was not published", first: [month()],
                isPublished: false, bucket: .withFinding),
            ForgottenCase(
                testDescription: "a month that has ended since", first: [month(to: 0.5)],
                bucket: .withFinding),
            ForgottenCase(
                testDescription: "a month that was refunded already",
                first: [month(cancelled: -3)], bucket: .withFinding),
            ForgottenCase(
                testDescription: "shown tonight under another id with its line item",
                first: [month()], second: [month("90", of: "9", isUpgraded: true)],
                bucket: .withFinding),
            ForgottenCase(
                testDescription: "another period is shown tonight",
                first: [month()], second: [month("90", of: "9", order: "5", isUpgraded: true)],
                bucket: .unverified),
            ForgottenCase(
                testDescription: "a product that is owned for good",
                firstOnce: [once("5", of: "5", "unlock")], product: "unlock",
                bucket: .unverified),
            ForgottenCase(
                testDescription: "a pass within its time",
                firstOnce: [once("5", of: "5", "pass")], product: "pass", bucket: .unverified),
            ForgottenCase(
                testDescription: "a pass past its time",
                firstOnce: [once("5", of: "5", "pass")], product: "pass", daysApart: 20,
                bucket: .withFinding),
        ])
    func missed(of user: ForgottenCase) async throws {
        try await sellProducts()
        try await storeReceipts(of: ["ann"])
        try await grant(user.product)
        let before = AppleLine.answer(inApp: user.firstOnce, latest: user.first)
        let first = try await Pass(
            database, ScriptedApple { _ in [.reply(before)] }, evidence: user.evidence)
        try await first.finish()
        if user.isPublished {
            try await database.ledger.publish(first.run.id, at: first.run.asOf, under: nil)
        }
        if user.isSeenBetween {
            // The record of the first night is of this one, too: nothing that it holds changed.
            let between = try await Pass(
                database, ScriptedApple { _ in [.reply(before)] }, night: 2, asOf: .day(15),
                evidence: user.evidence)
            try await between.finish()
            try await database.ledger.publish(between.run.id, at: between.run.asOf, under: nil)
        }
        let now = AppleLine.answer(latest: user.second)
        let last = try await Pass(
            database, ScriptedApple { _ in [.reply(now)] }, night: 3, asOf: .day(user.daysApart),
            evidence: user.evidence)
        #expect(try await last.finish().entitlements.ofRows == [user.bucket])
    }
}
