import Testing

@testable import Reconcile

@Suite("A refund in the history")
struct ReversalTests {
    private static let reported = Cancellation(
        transaction: "1", cancelledAt: .day(-40), isReported: true, isReversed: false)

    private func judgement(
        _ transactions: Transaction..., rows: [StoredEntitlement] = [],
        after history: UserHistory = history([reported])
    ) -> Judgement {
        var receipt = Receipt.showing()
        receipt.transactions = transactions
        return Judge.acme.judgement(
            of: UserEvidence(
                user: "u", receipts: [.stored(.verified(receipt))], entitlements: rows),
            history: history)
    }

    private static func history(_ cancellations: [Cancellation]) -> UserHistory {
        UserHistory(
            cancellations: Dictionary(
                cancellations.map { ($0.transaction, $0) }, uniquingKeysWith: { $1 }))
    }

    @Test("is reported once, and remembered")
    func once() {
        let first = judgement(.monthly(bought: -10, cancelled: -4), after: UserHistory())
        #expect(first.kinds == [.refundRecorded])
        #expect(
            first.cancellations == [
                Cancellation(
                    transaction: "1", cancelledAt: .day(-4), isReported: true, isReversed: false)
            ])
        let second = judgement(
            .monthly(bought: -10, cancelled: -4), after: Self.history(first.cancellations))
        #expect(second.kinds.isEmpty)
        #expect(second.cancellations.isEmpty)
    }

    @Test("is reported once for all users, and remembered for each")
    func otherUser() {
        let history = UserHistory(elsewhere: ["1": Self.reported])
        let judgement = judgement(.monthly(bought: -10, cancelled: -4), after: history)
        #expect(judgement.kinds.isEmpty)
        #expect(judgement.cancellations.map(\.isReported) == [true])
    }

    @Test("is remembered, not reported, beyond the horizon, when upgraded neither")
    func horizon() {
        let old = judgement(.once("1", "coins", bought: -99, cancelled: -91), after: UserHistory())
        #expect(old.kinds.isEmpty)
        #expect(old.cancellations.map(\.isReported) == [false])
        let upgraded = judgement(
            .monthly(bought: -10, cancelled: -4, isUpgraded: true), after: UserHistory())
        #expect(upgraded.cancellations.isEmpty)
    }

    @Test("that Apple took back is reported once, while the right is granted")
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
        #expect(first.cancellations.map(\.isReversed) == [true])
        let second = judgement(
            .monthly(bought: -10), rows: rows, after: Self.history(first.cancellations))
        #expect(second.kinds.isEmpty && second.cancellations.isEmpty)
    }

    @Test("that was never reported is not reported as taken back, but still restores")
    func unreported() {
        var seen = Self.reported
        seen.isReported = false
        let history = Self.history([seen])
        #expect(
            judgement(.monthly(bought: -10), rows: [.row(expires: 20)], after: history).kinds
                .isEmpty)
        #expect(
            judgement(.monthly(bought: -10), after: history).kinds == [.refundReversedNotRestored])
    }

    @Test(
        "that Apple took back is owed before all else that may be",
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
        let judgement = Judge.acme.judgement(of: evidence, history: Self.history([Self.reported]))
        #expect(judgement.kinds == [.refundReversedNotRestored])
        let finding = try #require(judgement.findings.first)
        #expect(finding.eventAt == transaction.purchasedAt)
        #expect(finding.severity == .high && finding.direction == .owed)
        #expect(finding.kind.file == .refunds && finding.proposedAction == .restore)
        #expect(
            finding.explanation.contains("taken back a refund of it that an earlier run saw"))
        #expect(judgement.cancellations.isEmpty)
    }

    @Test("settles by the purchase, and is then told as an event")
    func settles() {
        let row = StoredEntitlement.row(isActive: false)
        let settling = judgement(.monthly(bought: -0.5), rows: [row])
        #expect(settling.kinds == [.refundReversed] && settling.bucket == "settling")
        let due = judgement(.monthly(bought: -1), rows: [row])
        #expect(due.kinds == [.refundReversedNotRestored] && due.bucket == "with_finding")
    }

    @Test("that comes only after the instant of judgement was not taken back")
    func later() {
        let future = Cancellation(
            transaction: "1", cancelledAt: .day(2), isReported: true, isReversed: false)
        let history = Self.history([future])
        let transaction = Transaction.monthly(bought: -10, cancelled: 2)
        #expect(judgement(transaction, rows: [.row(expires: 20)], after: history).kinds.isEmpty)
        let owed = judgement(transaction, after: history)
        #expect(owed.kinds == [.activeNotGranted])
        #expect(owed.cancellations.isEmpty)
    }

    @Test(
        "of another user's receipt is taken back by what is newer than it",
        arguments: [
            (Transaction.monthly(bought: -10), -1.0, true),
            (.once("1", "unlock", bought: -10), -4, true),
            (.once("1", "unlock", bought: -10), -2, false),
        ])
    func elsewhere(transaction: Transaction, cancelled: Double, isTakenBack: Bool) {
        let seen = Cancellation(
            transaction: "1", cancelledAt: .day(cancelled), isReported: true, isReversed: false)
        let owed = judgement(transaction, after: UserHistory(elsewhere: ["1": seen]))
        #expect(owed.kinds.contains(.refundReversedNotRestored) == isTakenBack)
        let row = StoredEntitlement.row(
            "e1", transaction.product, expires: transaction.expiresAt.map { _ in 20 })
        let told = judgement(transaction, rows: [row], after: UserHistory(elsewhere: ["1": seen]))
        #expect(told.kinds == (isTakenBack ? [.refundReversed] : []))
        #expect(told.cancellations.map(\.isReversed) == (isTakenBack ? [true] : []))
    }

    @Test("that comes back after it was taken back is remembered and not reported again")
    func twice() {
        var reversed = Self.reported
        reversed.isReversed = true
        let judgement = judgement(
            .monthly(bought: -10, cancelled: -1), after: Self.history([reversed]))
        #expect(judgement.kinds.isEmpty)
        #expect(judgement.cancellations == [Self.reported])
    }
}
