import Testing

@testable import Reconcile

/// Products outside the catalogue: their rows are judged, and `unknown_product` is reported in
/// place of any owed right.
@Suite("A product outside the catalogue")
struct RetiredProductTests {
    private static func theme(cancelled: Double? = nil) -> ReceiptEvidence {
        let line = AppleLine.once("1", "theme", bought: -400, cancelled: cancelled)
        return .answered(AppleLine.answer(inApp: [line]))
    }

    /// A receipt that Apple signed, which has the kind of `theme`.
    private static func signed(cancelled: Double? = nil) -> [ReceiptEvidence] {
        var receipt = theme(cancelled: cancelled)
        receipt.signedKinds = ["theme": .nonConsumable]
        return [receipt]
    }

    private static let granted = [StoredEntitlement.row("e1", "theme")]
    private static let taken = [StoredEntitlement.row("e1", "theme", isActive: false)]

    private static func month(to end: Double, cancelled: Double? = nil) -> [ReceiptEvidence] {
        let start = end - 30
        return [
            .showing(AppleLine.period("1", "x.monthly", from: start, to: end, cancelled: cancelled))
        ]
    }

    private static func row(_ end: Double, isActive: Bool = true) -> [StoredEntitlement] {
        [.row("e1", "x.monthly", chain: "1", isActive: isActive, expires: end)]
    }

    private static let grace = ReceiptEvidence.answered(
        AppleLine.answer(
            latest: [AppleLine.period("1", "x.monthly", from: -35, to: -5)],
            renewals: [AppleLine.renewal(grace: 5, with: ["auto_renew_status": "1"])]))

    private static let beside = ReceiptEvidence.showing(
        AppleLine.period("1", "x.monthly", from: -10, to: 20),
        AppleLine.period("2", of: "2", from: -10, to: 20))

    static let judged = cases([
        "consistent": [
            ("bought once, on a row that is not granted", signed(), taken),
            ("bought once, on a granted row", signed(), granted),
            ("active, on a row that is not granted", month(to: 20), row(20, isActive: false)),
            ("in grace, on a row that is not granted", [grace], row(-5, isActive: false)),
            ("active, on a granted row", month(to: 20), row(20)),
        ],
        "consistent, refund_recorded": [
            ("refunded, on a row that is not granted", signed(cancelled: -5), taken)
        ],
        "refunded_still_granted e1, refund_recorded": [
            ("refunded, on a granted row", signed(cancelled: -5), granted),
            ("refunded, on the row of a subscription", month(to: 20, cancelled: -4), row(20)),
        ],
        "not_judged": [("of a kind that nothing says", [theme()], taken)],
        "expiry_too_late e1": [("active, on a row that ends later", month(to: 20), row(25))],
        "expiry_too_early e1": [("active, on a row that ends earlier", month(to: 20), row(5))],
        "expired_still_granted e1": [("expired, on a granted row", month(to: -9), row(9))],
        "active_not_granted": [("beside a catalogue product that is owed", [beside], [])],
    ])

    @Test(
        "A product is judged by its expiry or its kind in a signed receipt, and is never owed",
        arguments: judged)
    func isJudged(row: AnsweredCase) { row.check() }

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
