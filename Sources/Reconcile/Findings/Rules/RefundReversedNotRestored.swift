extension FindingKind {
    static let refundReversedNotRestored = FindingKind(
        "refund_reversed_not_restored", .high, .owed, in: .refunds, action: .restore,
        money: .exposure)
}

extension RowRule {
    static let refundReversedNotRestored = RowRule(
        .refundReversedNotRestored, of: .owedRight,
        when: "Apple reversed a refund, and the right is not granted",
        cause: CauseTime.bought,
        matches: { rowCase in
            rowCase.isOwedByPurchase
                && rowCase.best.map { rowCase.user.isGivenBackByReversal($0) } ?? false
        },
        event: Event(
            finding: { rowCase in
                rowCase.best.flatMap { Finding(refundReversalOf: $0.covering, of: rowCase.user) }
            },
            countsAsReported: false),
        sentence: { rowCase in
            rowCase.sentence(
                "Apple has reversed a refund of it that an earlier run saw, and"
                    + " \(RowCase.uncovered)")
        })
}

extension UserCase {
    /// False when another transaction of the same period was never refunded.
    fileprivate func isGivenBackByReversal(_ grantor: Grantor) -> Bool {
        let covering = grantor.covering
        guard hasReversedRefund(of: covering) else { return false }
        return !purchases.all.contains { other in
            other.id != covering.id && other.isOfRun(of: covering) && !other.isCancelled
                && other.expiresAt != nil && other.expiresAt == covering.expiresAt
                && other.purchasedAt == covering.purchasedAt && !hasReversedRefund(of: other)
        }
    }
}
