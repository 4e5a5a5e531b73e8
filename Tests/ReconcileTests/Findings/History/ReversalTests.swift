import Testing

@testable import Reconcile

@Suite("A refund in the user's history")
struct ReversalTests {
    private static let told = UserHistory([.refund(cancelled: -40)])
    private static let granted = StoredEntitlement.row(expires: 20)
    private static let taken = StoredEntitlement.row(isActive: false)

    private func judgement(
        _ transaction: Transaction, renewals: [Renewal] = [], _ rows: StoredEntitlement...,
        after history: UserHistory = told
    ) -> Judgement {
        Judge.acme.judgement(
            of: UserEvidence(
                user: "u", receipts: answers(transaction, renewals: renewals), entitlements: rows),
            history: history)
    }

    @Test(
        "A refund, or a withdrawal of family sharing, is reported once",
        arguments: [
            (Transaction.monthly(bought: -10, cancelled: -4), FindingKind.refundRecorded),
            (
                .monthly(bought: -10, cancelled: -4, isFamilyShared: true),
                .familyRevocationRecorded
            ),
        ])
    func once(withdrawn: Transaction, kind: FindingKind) {
        let first = judgement(withdrawn, after: UserHistory())
        #expect(first.kinds == [kind])
        let second = judgement(withdrawn, after: UserHistory(after: first))
        #expect(second.kinds.isEmpty && second.remembered.isEmpty)
    }

    @Test("A refund beyond the horizon is remembered and not reported, an upgrade is neither")
    func horizon() {
        let coins = Transaction.once("1", "coins", bought: -99, cancelled: -91)
        let old = judgement(coins, after: UserHistory())
        #expect(old.kinds.isEmpty)
        #expect(old.remembered.map(\.kind) == [.refundRecorded])
        #expect(old.remembered.map(\.eventAt) == [.day(-91)])
        #expect(judgement(coins, after: UserHistory(after: old)).remembered.isEmpty)
        let upgrade = Transaction.monthly(bought: -10, cancelled: -4, isUpgraded: true)
        let upgraded = judgement(upgrade, after: UserHistory())
        #expect(upgraded.kinds.isEmpty && upgraded.remembered.isEmpty)
    }

    @Test("A refund that was never reported is not reported as reversed, but restores the right")
    func rememberedOnly() {
        let refunded = Transaction.monthly(bought: -100, days: 120, cancelled: -95)
        let first = judgement(refunded, after: UserHistory())
        #expect(first.remembered.map(\.kind) == [.refundRecorded])
        let history = UserHistory(after: first)
        let standing = Transaction.monthly(bought: -100, days: 120)
        #expect(judgement(standing, Self.granted, after: history).kinds.isEmpty)
        #expect(
            judgement(standing, Self.taken, after: history).kinds == [.refundReversedNotRestored])
    }

    @Test("A reversed refund is reported once while the right is granted")
    func reversed() throws {
        let first = judgement(.monthly(bought: -10), Self.granted)
        #expect(first.kinds == [.refundReversed])
        let finding = try first.only(.refundReversed)
        #expect(finding.eventAt == .day(-40) && finding.transaction == "1")
        #expect(finding.reference == "1" && finding.weighed == "info none")
        #expect(finding.proposedAction == .none)
        #expect(
            finding.explanation
                == "Apple no longer shows a refund of pro.monthly (transaction 1, bought"
                + " 2026-11-10T02:00:00Z), of 2026-10-11T02:00:00Z, which an earlier run reported:"
                + " the purchase is valid again.")
        let history = UserHistory([.refund(cancelled: -40), .of(finding)])
        let second = judgement(.monthly(bought: -10), Self.granted, after: history)
        #expect(history.reported(second.findings, judgedAt: .asOf).isEmpty)
    }

    @Test(
        "A reversed refund takes precedence over every other finding that the right is owed",
        arguments: [
            (Transaction.monthly(bought: -10), [Renewal]()),
            (.once("1", "unlock", bought: -10), []),
            (.monthly(bought: -33), inGrace), (.once("1", "pass", bought: -10), []),
        ])
    func owed(transaction: Transaction, renewals: [Renewal]) throws {
        let judgement = judgement(transaction, renewals: renewals)
        #expect(judgement.kinds == [.refundReversedNotRestored])
        let finding = try judgement.only(.refundReversedNotRestored)
        #expect(finding.eventAt == transaction.purchasedAt && finding.weighed == "high owed")
        #expect(finding.kind.file == .refunds && finding.proposedAction == .restore)
        #expect(finding.explanation.contains("reversed a refund of it that an earlier run saw"))
    }

    @Test("A reversed refund settles by the purchase, and is meanwhile reported as an event")
    func settles() {
        let settling = judgement(.monthly(bought: -0.5), Self.taken)
        #expect(settling.outcome == ["refund_reversed", "settling"])
        let due = judgement(.monthly(bought: -1), Self.taken)
        #expect(due.outcome == ["refund_reversed_not_restored e1"])
    }

    @Test("A refund after the instant of judgement does not count as reversed")
    func later() {
        let history = UserHistory([.refund(cancelled: 2)])
        let transaction = Transaction.monthly(bought: -10, cancelled: 2)
        #expect(judgement(transaction, Self.granted, after: history).kinds.isEmpty)
        #expect(judgement(transaction, after: history).kinds == [.activeNotGranted])
    }

    @Test("A refund that returns after a reversal is not reported again")
    func twice() {
        let history = UserHistory([.refund(cancelled: -40), .reversal(cancelled: -40)])
        let judgement = judgement(.monthly(bought: -10, cancelled: -1), after: history)
        #expect(judgement.kinds.isEmpty && judgement.remembered.isEmpty)
    }
}
