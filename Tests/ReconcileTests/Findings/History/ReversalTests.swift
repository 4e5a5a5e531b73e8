import Testing

@testable import Reconcile

@Suite("A refund in the user's history")
struct ReversalTests {
    private static let told = UserHistory([.refund(cancelled: -40)])

    private func judgement(
        _ transactions: Transaction..., rows: [StoredEntitlement] = [],
        after history: UserHistory = told
    ) -> Judgement {
        var receipt = Receipt.showing()
        receipt.transactions = transactions
        return Judge.acme.judgement(
            of: UserEvidence(
                user: "u", receipts: [.stored(.verified(receipt))], entitlements: rows),
            history: history)
    }

    @Test("A refund is reported once")
    func once() {
        let first = judgement(.monthly(bought: -10, cancelled: -4), after: UserHistory())
        #expect(first.kinds == [.refundRecorded])
        let second = judgement(
            .monthly(bought: -10, cancelled: -4), after: UserHistory(after: first))
        #expect(second.kinds.isEmpty && second.remembered.isEmpty)
    }

    @Test("A withdrawal of family sharing is reported once")
    func familyOnce() {
        let withdrawn = Transaction.monthly(bought: -10, cancelled: -4, isFamilyShared: true)
        let first = judgement(withdrawn, after: UserHistory())
        #expect(first.kinds == [.familyRevocationRecorded])
        #expect(judgement(withdrawn, after: UserHistory(after: first)).kinds.isEmpty)
    }

    @Test("A refund beyond the horizon is remembered and not reported, an upgrade is neither")
    func horizon() {
        let old = judgement(.once("1", "coins", bought: -99, cancelled: -91), after: UserHistory())
        #expect(old.kinds.isEmpty)
        #expect(old.remembered.map(\.kind) == [.refundRecorded])
        #expect(old.remembered.map(\.eventAt) == [.day(-91)])
        let again = judgement(
            .once("1", "coins", bought: -99, cancelled: -91), after: UserHistory(after: old))
        #expect(again.remembered.isEmpty)
        let upgraded = judgement(
            .monthly(bought: -10, cancelled: -4, isUpgraded: true), after: UserHistory())
        #expect(upgraded.kinds.isEmpty && upgraded.remembered.isEmpty)
    }

    @Test("A refund that was never reported is not reported as reversed, but restores the right")
    func rememberedOnly() {
        let refunded = Transaction.monthly(bought: -100, days: 120, cancelled: -95)
        let first = judgement(refunded, after: UserHistory())
        #expect(first.remembered.map(\.kind) == [.refundRecorded])
        let history = UserHistory(after: first)
        let standing = Transaction.monthly(bought: -100, days: 120)
        let granted = judgement(standing, rows: [.row(expires: 20)], after: history)
        #expect(granted.kinds.isEmpty)
        let lost = judgement(standing, rows: [.row(isActive: false)], after: history)
        #expect(lost.kinds == [.refundReversedNotRestored])
    }

    @Test("A reversed refund is reported once while the right is granted")
    func reversed() throws {
        let rows = [StoredEntitlement.row(expires: 20)]
        let first = judgement(.monthly(bought: -10), rows: rows)
        #expect(first.kinds == [.refundReversed])
        let finding = try #require(first.findings.first)
        #expect(finding.eventAt == .day(-40) && finding.transaction == "1")
        #expect(finding.reference == "1" && finding.severity == .info)
        #expect(finding.proposedAction == .none && finding.direction == .none)
        #expect(
            finding.explanation
                == "Apple no longer shows a refund of pro.monthly (transaction 1, bought"
                + " 2026-11-10T02:00:00Z), of 2026-10-11T02:00:00Z, which an earlier run reported:"
                + " the purchase stands again.")
        let history = UserHistory([.refund(cancelled: -40), .of(finding)])
        let second = judgement(.monthly(bought: -10), rows: rows, after: history)
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
        var receipt = Receipt.showing(renewals: renewals)
        receipt.transactions = [transaction]
        let evidence = UserEvidence(
            user: "u", receipts: [.stored(.verified(receipt))], entitlements: [])
        let judgement = Judge.acme.judgement(of: evidence, history: Self.told)
        #expect(judgement.kinds == [.refundReversedNotRestored])
        let finding = try #require(judgement.findings.first)
        #expect(finding.eventAt == transaction.purchasedAt)
        #expect(finding.severity == .high && finding.direction == .owed)
        #expect(finding.kind.file == .refunds && finding.proposedAction == .restore)
        #expect(
            finding.explanation.contains("taken back a refund of it that an earlier run saw"))
    }

    @Test("A reversed refund settles by the purchase, and is meanwhile reported as an event")
    func settles() {
        let row = StoredEntitlement.row(isActive: false)
        let settling = judgement(.monthly(bought: -0.5), rows: [row])
        #expect(settling.kinds == [.refundReversed] && settling.bucket == "settling")
        let due = judgement(.monthly(bought: -1), rows: [row])
        #expect(due.kinds == [.refundReversedNotRestored] && due.bucket == "with_finding")
    }

    @Test("A refund after the instant of judgement does not count as reversed")
    func later() {
        let history = UserHistory([.refund(cancelled: 2)])
        let transaction = Transaction.monthly(bought: -10, cancelled: 2)
        #expect(judgement(transaction, rows: [.row(expires: 20)], after: history).kinds.isEmpty)
        #expect(judgement(transaction, after: history).kinds == [.activeNotGranted])
    }

    @Test("A refund that returns after a reversal is not reported again")
    func twice() {
        let history = UserHistory([.refund(cancelled: -40), .reversal(cancelled: -40)])
        let judgement = judgement(.monthly(bought: -10, cancelled: -1), after: history)
        #expect(judgement.kinds.isEmpty && judgement.remembered.isEmpty)
    }
}
