import Testing

@testable import Reconcile

/// What the first table's lines do not show: `Line.all` has each kind, its near miss, and when it
/// settles or is hidden.
@Suite("A stored row")
struct RowTests {
    private static let refunded = answers(.monthly(bought: -10, cancelled: -4))
    private static let running = answers(.monthly(bought: -10))
    private static let renewed = answers(.monthly(bought: -40), .monthly("2", bought: -10))
    private static let graceJustOver = answers(
        .monthly(bought: -40), renewals: [.grace(until: -0.5)])
    private static let inGracePeriod = answers(.monthly(bought: -31), renewals: inGrace)
    private static let twoChains = answers(
        .monthly(bought: -10), .monthly("2", of: "2", "max.monthly", bought: -5))
    private static let boughtLater = verified(
        .showing(.monthly(bought: 1), environment: .sandbox))
    private static let pass = answers(.once("1", "pass", bought: -9))

    static let compared = cases([
        "consistent, refund_recorded": [
            ("that grants no more after a refund", refunded, [.row(isActive: false)]),
            ("whose expiry has passed after a refund", refunded, [.row(expires: 0)]),
        ],
        "consistent": [
            ("of a chain with a later period", renewed, [.row(expires: 20)]),
            ("with the expiry of another chain of the right", twoChains, [.row(expires: 25)]),
            ("not granted, and Apple gives nothing", answers(), [.row(isActive: false)]),
        ],
        "settling": [("whose grace period is just over", graceJustOver, [.row(expires: 20)])],
        "grant_without_transaction e1": [
            ("bought in the sandbox after the instant of judgement", boughtLater, [.row()]),
            ("of a subscription, changed since the receipt", answers(), [.row(updated: -2)]),
            ("of a non-consumable, granted before", answers(), [.row("e1", "unlock")]),
        ],
        "unverified": [
            ("of a pass, granted since the receipt", answers(), [.row("e1", "pass", updated: -2)]),
            (
                "not granted, and Apple may give something", [unchecked] + answers(),
                [.row(isActive: false)]
            ),
        ],
        "expiry_too_late e1": [
            ("with an expiry after its grace period", inGracePeriod, [.row(expires: 9)])
        ],
        "active_not_granted e1": [
            ("owed, and its expiry has passed", running, [.row(expires: -1)])
        ],
        "owned_not_granted e1": [("owed, of a pass", pass, [.row("e1", "pass", isActive: false)])],
        "active_not_granted a, consistent": [
            (
                "owed once, of two", running,
                [.row("a", isActive: false), .row("b", isActive: false)]
            )
        ],
        "": [("owed, but missing, in the last day", answers(.monthly(bought: -0.5)), [])],
        "not_judged": [
            (
                "of any source and any product, which covers a right", running,
                [.row("e1", "pro.yearly", expires: 9, source: .other("promo"))]
            )
        ],
        "product_mismatch e1": [
            (
                "of another right, which covers that of its best grantor, its chain", running,
                [.row("e1", "solo.monthly", chain: "1", expires: 20)]
            )
        ],
    ])

    @Test("A row is compared with all that Apple shows of its right", arguments: compared)
    func isCompared(row: AnsweredCase) { row.check() }

    @Test("With nothing but a stored receipt that is invalid a granted row is unverified")
    func invalidReceipt() {
        let judgement = Judge.acme.judgement(of: [], [.row()], invalidReceipts: 1)
        #expect(judgement.outcome == ["unverified"])
    }

    @Test("Without a row the finding that a right is owed has no entitlement")
    func withoutRow() throws {
        let judgement = Judge.acme.judgement(of: Self.running, [])
        #expect(judgement.outcome == ["active_not_granted"])
        let finding = try judgement.only(.activeNotGranted)
        #expect(finding.reference == "group:G" && finding.transaction == "1")
    }

    @Test("The finding is on the row of the chain, else of the product, else the latest one")
    func choosesRow() {
        let chain = StoredEntitlement.row("z", "pro.yearly", chain: "1", isActive: false)
        let product = StoredEntitlement.row("y", isActive: false)
        let late = StoredEntitlement.row("x", "pro.yearly", isActive: false, updated: -2)
        let early = StoredEntitlement.row("a", "pro.yearly", isActive: false, updated: -3)
        let twin = StoredEntitlement.row("w", "pro.yearly", isActive: false, updated: -2)
        let rows = [
            [early, late, product, chain], [early, late, product], [early, late], [late, twin],
        ]
        let chosen = rows.map { Judge.acme.judgement(of: Self.running, $0).findings.first }
        #expect(chosen.map { $0?.entitlement } == ["z", "y", "x", "w"])
    }

    /// Apple's answer says that the subscription will not renew.
    private static let ending = [
        ReceiptEvidence.answered(
            AppleLine.answer(
                latest: [AppleLine.period(from: -20, to: 10)],
                renewals: [AppleLine.renewal(with: ["auto_renew_status": "0"])]))
    ]

    private static func label(_ autoRenew: Bool?, updated: Double) -> [StoredEntitlement] {
        [.row("e1", expires: 10, autoRenew: autoRenew, updated: updated)]
    }

    static let labels = cases([
        "label_stale e1": [("changed a day ago", ending, label(true, updated: -1))],
        "settling": [
            ("changed less than a day ago", ending, label(true, updated: -0.999)),
            ("changed now", ending, label(true, updated: 0)),
        ],
        "consistent": [
            ("changed to what Apple says", ending, label(false, updated: -0.5)),
            ("changed to nothing", ending, label(nil, updated: -0.5)),
        ],
    ])

    @Test("A wrong `auto_renew` settles for a day after the row changed", arguments: labels)
    func settles(row: AnsweredCase) { row.check() }

    @Test("The cause of a wrong `auto_renew` is the row's last change")
    func cause() throws {
        let judgement = Judge.acme.judgement(of: Self.ending, Self.label(true, updated: -2))
        #expect(try judgement.only(.labelStale).eventAt == .day(-2))
    }
}
