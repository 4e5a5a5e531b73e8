/// What the history adds to SPEC §5's second table: refunds that Apple took back.
extension Account {
    /// Refunds that an earlier run reported and that Apple shows no longer, once.
    /// - Parameter named: the transactions that tonight's `refund_reversed_not_restored` name.
    func reversalEvents(besides named: Set<TransactionID>) -> [Finding] {
        purchases.all.compactMap { purchase -> Finding? in
            guard !purchase.isCancelled, !named.contains(purchase.id),
                let known = history.cancellations[purchase.id], known.isReported,
                !known.isReversed
            else { return nil }
            return reversal(of: purchase, cancelledAt: known.cancelledAt)
        }
    }

    /// What later runs must know of tonight's cancelled transactions, where it is news.
    /// - Parameter findings: all of tonight's findings on the user.
    func cancellations(with findings: [Finding]) -> [Cancellation] {
        func transactions(_ kinds: Set<FindingKind>) -> Set<TransactionID> {
            Set(findings.lazy.filter { kinds.contains($0.kind) }.compactMap(\.transaction))
        }
        let reported = transactions([.refundRecorded, .familyRevocationRecorded])
        let reversed = transactions([.refundReversed])
        return purchases.all.compactMap { purchase -> Cancellation? in
            let known = history.cancellations[purchase.id]
            var news = known
            if let cancelledAt = purchase.cancelledAt, !purchase.isUpgraded {
                let isReported =
                    reported.contains(purchase.id) || history.hasReported(refundOf: purchase.id)
                news = Cancellation(
                    transaction: purchase.id, cancelledAt: known?.cancelledAt ?? cancelledAt,
                    isReported: isReported, isReversed: false)
            } else if reversed.contains(purchase.id) {
                news?.isReversed = true
            }
            return news == known ? nil : news
        }
    }

    private func reversal(of purchase: Purchase, cancelledAt: Instant) -> Finding {
        var finding = refund(of: purchase, cancelledAt: cancelledAt)
        finding.kind = .refundReversed
        finding.explanation = explanation(ofReversal: purchase, cancelledAt: cancelledAt)
        finding.reason = nil
        finding.proposedAction = FindingKind.refundReversed.proposedAction
        return finding
    }
}
