import Testing

@testable import Reconcile

/// What the first table's lines do not show: `Line.all` has each kind, its near miss, and when it
/// settles or is hidden.
@Suite("A stored row")
struct RowTests {
    private static let refunded = answers(.monthly(bought: -10, cancelled: -4))
    private static let running = answers(.monthly(bought: -10))

    static let leaks: [AnsweredCase] = [
        .init(
            "that grants no more after a refund", refunded, .row(isActive: false),
            is: "consistent", "refund_recorded"),
        .init(
            "whose expiry has passed after a refund", refunded, .row(expires: 0),
            is: "consistent", "refund_recorded"),
        .init(
            "of a chain with a later period",
            answers(.monthly(bought: -40), .monthly("2", bought: -10)),
            .row(expires: 20), is: "consistent"),
        .init(
            "of a chain whose grace period is just over",
            answers(.monthly(bought: -40), renewals: [.grace(until: -0.5)]), .row(expires: 20),
            is: "settling"),
        .init(
            "bought in the sandbox after the instant of judgement",
            verified(.showing(.monthly(bought: 1), environment: .sandbox)), .row(),
            is: "grant_without_transaction e1"),
        .init(
            "of a subscription, changed since the receipt was stored", answers(),
            .row(updated: -2), is: "grant_without_transaction e1"),
        .init(
            "of a pass, granted since the receipt was stored", answers(),
            .row("e1", "pass", updated: -2), is: "unverified"),
        .init(
            "of a non-consumable, granted before", answers(), .row("e1", "unlock"),
            is: "grant_without_transaction e1"),
        .init(
            "whose expiry is that of another chain of the right",
            answers(.monthly(bought: -10), .monthly("2", of: "2", "max.monthly", bought: -5)),
            .row(expires: 25), is: "consistent"),
        .init(
            "in grace, with an expiry after the grace period's end",
            answers(.monthly(bought: -31), renewals: inGrace), .row(expires: 9),
            is: "expiry_too_late e1"),
    ]

    @Test("A granted row is compared with all that Apple shows of its right", arguments: leaks)
    func leak(row: AnsweredCase) { row.check() }

    @Test("With nothing but a stored receipt that is invalid a granted row is unverified")
    func invalidReceipt() {
        let judgement = Judge.acme.judgement(of: [], [.row()], invalidReceipts: 1)
        #expect(judgement.outcome == ["unverified"])
    }

    static let owed: [AnsweredCase] = [
        .init(
            "on a row whose expiry has passed", running, .row(expires: -1),
            is: "active_not_granted e1"),
        .init(
            "on the row of a pass", answers(.once("1", "pass", bought: -9)),
            .row("e1", "pass", isActive: false), is: "owned_not_granted e1"),
        .init("without a row, in the last day", answers(.monthly(bought: -0.5))),
        .init(
            "covered by a row of any source and any product of the right", running,
            .row("e1", "pro.yearly", expires: 9, source: .other("promo")), is: "not_judged"),
        .init(
            "covered by a row of another right whose best grantor is its chain", running,
            .row("e1", "solo.monthly", chain: "1", expires: 20), is: "product_mismatch e1"),
        .init(
            "once, of two rows", running, .row("a", isActive: false), .row("b", isActive: false),
            is: "active_not_granted a", "consistent"),
        .init(
            "to nobody, if Apple gives nothing", answers(), .row(isActive: false), is: "consistent"),
        .init(
            "to nobody, if Apple may give something", answers() + [unchecked],
            .row(isActive: false), is: "unverified"),
    ]

    @Test("A right is owed once, unless a granted row of any kind covers it", arguments: owed)
    func isOwed(row: AnsweredCase) { row.check() }

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
        let chosen = [
            [early, late, product, chain], [early, late, product], [early, late], [late, twin],
        ]
        .map { Judge.acme.judgement(of: Self.running, $0).findings.first?.entitlement }
        #expect(chosen == ["z", "y", "x", "w"])
    }

    /// Apple's answer says that the subscription will not renew.
    private static let ending = ReceiptEvidence.answered(
        AppleLine.answer(
            latest: [AppleLine.period(from: -20, to: 10)],
            renewals: [AppleLine.renewal(with: ["auto_renew_status": "0"])]))

    private static func label(_ autoRenew: Bool?, updated: Double) -> StoredEntitlement {
        .row("e1", expires: 10, autoRenew: autoRenew, updated: updated)
    }

    static let labels: [AnsweredCase] = [
        .init("a day ago", [ending], label(true, updated: -1), is: "label_stale e1"),
        .init("less than a day ago", [ending], label(true, updated: -0.999), is: "settling"),
        .init("now", [ending], label(true, updated: 0), is: "settling"),
        .init("to what Apple says", [ending], label(false, updated: -0.5), is: "consistent"),
        .init("to nothing", [ending], label(nil, updated: -0.5), is: "consistent"),
    ]

    @Test("A wrong `auto_renew` settles for a day after the row changed", arguments: labels)
    func settles(row: AnsweredCase) { row.check() }

    @Test("The cause of a wrong `auto_renew` is the row's last change")
    func cause() throws {
        let judgement = Judge.acme.judgement(of: [Self.ending], [Self.label(true, updated: -2)])
        #expect(try judgement.only(.labelStale).eventAt == .day(-2))
    }
}
