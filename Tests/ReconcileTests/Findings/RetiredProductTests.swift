import Testing

@testable import Reconcile

/// Products outside the catalogue: their rows are judged, and `unknown_product` is reported in
/// place of any owed right.
@Suite("A product outside the catalogue")
struct RetiredProductTests {
    private static func theme(cancelled: Double? = nil) -> ReceiptEvidence {
        .answered(
            AppleLine.answer(inApp: [
                AppleLine.once("1", "theme", bought: -400, cancelled: cancelled)
            ]))
    }

    /// A receipt that Apple signed, which has the kind of `theme`.
    private static func signed(cancelled: Double? = nil) -> [ReceiptEvidence] {
        var receipt = theme(cancelled: cancelled)
        receipt.signedKinds = ["theme": .nonConsumable]
        return [receipt]
    }

    private static let granted = StoredEntitlement.row("e1", "theme")
    private static let taken = StoredEntitlement.row("e1", "theme", isActive: false)

    static let bought: [AnsweredCase] = [
        .init("without a row", signed()),
        .init("on a row that is not granted", signed(), taken, is: "consistent"),
        .init("on a granted row", signed(), granted, is: "consistent"),
        .init(
            "refunded, on a granted row", signed(cancelled: -5), granted,
            is: "refunded_still_granted e1", "refund_recorded"),
        .init(
            "refunded, on a row that is not granted", signed(cancelled: -5), taken,
            is: "consistent", "refund_recorded"),
        .init("of a kind that nothing says", [theme()], taken, is: "not_judged"),
    ]

    @Test(
        "A one-time product whose kind a signed receipt shows is never reported as owed",
        arguments: bought)
    func isNotOwed(row: AnsweredCase) { row.check() }

    private static func month(to end: Double, cancelled: Double? = nil) -> [ReceiptEvidence] {
        [
            .showing(
                AppleLine.period("1", "x.monthly", from: end - 30, to: end, cancelled: cancelled))
        ]
    }

    private static func row(_ end: Double, isActive: Bool = true) -> StoredEntitlement {
        .row("e1", "x.monthly", chain: "1", isActive: isActive, expires: end)
    }

    private static let grace = AppleLine.answer(
        latest: [AppleLine.period("1", "x.monthly", from: -35, to: -5)],
        renewals: [AppleLine.renewal(grace: 5, with: ["auto_renew_status": "1"])])

    static let subscriptions: [AnsweredCase] = [
        .init("active, without a row", month(to: 20)),
        .init(
            "active, on a row that is not granted", month(to: 20), row(20, isActive: false),
            is: "consistent"),
        .init(
            "in grace, on a row that is not granted", [.answered(grace)], row(-5, isActive: false),
            is: "consistent"),
        .init("active, on a granted row", month(to: 20), row(20), is: "consistent"),
        .init("active, on a row that ends later", month(to: 20), row(25), is: "expiry_too_late e1"),
        .init(
            "active, on a row that ends earlier", month(to: 20), row(5), is: "expiry_too_early e1"),
        .init("expired, on a granted row", month(to: -9), row(9), is: "expired_still_granted e1"),
        .init(
            "refunded, on a granted row", month(to: 20, cancelled: -4), row(20),
            is: "refunded_still_granted e1", "refund_recorded"),
        .init(
            "active, beside a catalogue product that is owed",
            [
                .showing(
                    AppleLine.period("1", "x.monthly", from: -10, to: 20),
                    AppleLine.period("2", of: "2", from: -10, to: 20))
            ], is: "active_not_granted"),
    ]

    @Test(
        "A subscription that was seen with an expiry is judged, and never reported as owed",
        arguments: subscriptions)
    func subscription(row: AnsweredCase) { row.check() }

    @Test(
        "A product that is not reported as owed is reported as unknown",
        arguments: [("x.monthly", month(to: 20)), ("theme", signed())]
            as [(ProductID, [ReceiptEvidence])])
    func unknown(product: ProductID, receipts: [ReceiptEvidence]) {
        let judgement = Judge.acme.judgement(of: receipts, [])
        #expect(judgement.findings.isEmpty)
        #expect(judgement.unknownProducts.map(\.product) == [product])
    }
}
