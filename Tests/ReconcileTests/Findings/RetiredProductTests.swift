import Testing

@testable import Reconcile

/// Products outside the catalogue: their rows are judged, and `unknown_product` is reported in
/// place of any owed right.
@Suite("A product outside the catalogue")
struct RetiredProductTests {
    /// A receipt that Apple signed, which has the kinds of `theme` and `lesson`.
    private static func signed(_ lines: String...) -> [ReceiptEvidence] {
        var receipt = ReceiptEvidence.answered(AppleLine.answer(inApp: lines))
        receipt.signedKinds = ["theme": .nonConsumable]
        return [receipt]
    }

    private static func theme(cancelled: Double? = nil) -> String {
        AppleLine.once("1", "theme", bought: -400, cancelled: cancelled)
    }

    private static func row(isActive: Bool = true) -> StoredEntitlement {
        .row("e1", "theme", isActive: isActive)
    }

    static let bought: [AnsweredCase] = [
        AnsweredCase("without a row", signed(theme())),
        AnsweredCase(
            "on a row that is not granted", signed(theme()), row(isActive: false),
            is: "consistent"),
        AnsweredCase("on a granted row", signed(theme()), row(), is: "consistent"),
        AnsweredCase(
            "refunded, on a granted row", signed(theme(cancelled: -5)), row(),
            is: "refunded_still_granted e1", "refund_recorded"),
        AnsweredCase(
            "refunded, on a row that is not granted", signed(theme(cancelled: -5)),
            row(isActive: false), is: "consistent", "refund_recorded"),
        AnsweredCase(
            "of a kind that nothing says",
            [.answered(AppleLine.answer(inApp: [theme()]))], row(isActive: false),
            is: "not_judged"),
    ]

    @Test(
        "A one-time product whose kind a signed receipt shows is never reported as owed",
        arguments: bought)
    func isNotOwed(row: AnsweredCase) { row.check() }

    private static func month(to end: Double, cancelled: Double? = nil) -> [ReceiptEvidence] {
        [
            .showing(
                AppleLine.period(
                    of: "1", "x.monthly", from: end - 30, to: end, cancelled: cancelled))
        ]
    }

    private static func month(_ end: Double, isActive: Bool = true) -> StoredEntitlement {
        .row("e1", "x.monthly", chain: "1", isActive: isActive, expires: end)
    }

    private static let grace = AppleLine.answer(
        latest: [AppleLine.period("1", "x.monthly", from: -35, to: -5)],
        renewals: [
            #"{"original_transaction_id":"1","product_id":"x.monthly","auto_renew_status":"1","#
                + #""grace_period_expires_date_ms":"\#(Instant.day(5).milliseconds)"}"#
        ])

    static let subscriptions: [AnsweredCase] = [
        AnsweredCase("active, without a row", month(to: 20)),
        AnsweredCase(
            "active, on a row that is not granted", month(to: 20), month(20, isActive: false),
            is: "consistent"),
        AnsweredCase(
            "in grace, on a row that is not granted", [.answered(grace)],
            month(-5, isActive: false), is: "consistent"),
        AnsweredCase("active, on a granted row", month(to: 20), month(20), is: "consistent"),
        AnsweredCase(
            "active, on a row that ends later", month(to: 20), month(25),
            is: "expiry_too_late e1"),
        AnsweredCase(
            "active, on a row that ends earlier", month(to: 20), month(5),
            is: "expiry_too_early e1"),
        AnsweredCase(
            "expired, on a granted row", month(to: -9), month(9), is: "expired_still_granted e1"),
        AnsweredCase(
            "refunded, on a granted row", month(to: 20, cancelled: -4), month(20),
            is: "refunded_still_granted e1", "refund_recorded"),
    ]

    @Test(
        "A subscription that was seen with an expiry is judged, and never reported as owed",
        arguments: subscriptions)
    func subscription(row: AnsweredCase) { row.check() }

    @Test(
        "A product that is not reported as owed is reported as unknown", arguments: [true, false])
    func unknown(isSubscription: Bool) {
        let receipts = isSubscription ? Self.month(to: 20) : Self.signed(Self.theme())
        let judgement = AnsweredCase("", receipts).judgement()
        #expect(judgement.findings.isEmpty)
        #expect(
            judgement.unknownProducts.map(\.product) == [isSubscription ? "x.monthly" : "theme"])
    }

    @Test("A catalogue product that is owed is still reported next to it")
    func beside() {
        let receipt = ReceiptEvidence.showing(
            AppleLine.period("1", "x.monthly", from: -10, to: 20),
            AppleLine.period("2", of: "2", from: -10, to: 20))
        AnsweredCase("", [receipt], is: "active_not_granted").check()
    }
}
