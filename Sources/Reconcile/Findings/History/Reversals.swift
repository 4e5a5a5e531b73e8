/// What the history adds to SPEC §5's second table: refunds that Apple took back.
extension Account {
    /// Refunds that an earlier run reported and that Apple shows no longer, once.
    /// - Parameter named: the transactions that tonight's `refund_reversed_not_restored` name.
    func reversalEvents(besides named: Set<TransactionID>) -> [Finding] {
        purchases.all.compactMap { purchase -> Finding? in
            guard !named.contains(purchase.id), let known = cancellationTakenBack(of: purchase),
                known.isReported, !known.isReversed
            else { return nil }
            return reversal(of: purchase, cancelledAt: known.cancelledAt)
        }
    }

    /// A cancellation that earlier runs saw, and that Apple shows no longer.
    ///
    /// Of a subscription every answer has the latest; anything else it has as the receipt was when
    /// it was made. So one that was made before the cancellation, and is of another user than the
    /// one of whom that was seen, tells nothing.
    func cancellationTakenBack(of purchase: Purchase) -> Cancellation? {
        guard !purchase.isCancelled, !purchase.isCancelledLater else { return nil }
        if let own = history.cancellations[purchase.id] { return own }
        guard let known = history.elsewhere[purchase.id] else { return nil }
        let madeAt = purchase.source.receipt.createdAt ?? .distantPast
        return purchase.expiresAt != nil || madeAt >= known.cancelledAt ? known : nil
    }

    /// What later runs must know of tonight's cancelled transactions, where it is news.
    /// - Parameter findings: all of tonight's findings on the user.
    func cancellations(with findings: [Finding]) -> [Cancellation] {
        func transactions(_ isMeant: (FindingKind) -> Bool) -> Set<TransactionID> {
            Set(findings.filter { isMeant($0.kind) }.compactMap(\.transaction))
        }
        let reported = transactions { $0 == .refundRecorded || $0 == .familyRevocationRecorded }
        let reversed = transactions { $0 == .refundReversed }
        return purchases.all.compactMap { purchase -> Cancellation? in
            guard purchase.cancelledAt != nil || !reversed.isEmpty else { return nil }
            let known = history.cancellations[purchase.id]
            var news = known
            if let cancelledAt = purchase.cancelledAt, !purchase.isUpgraded {
                let isReported =
                    reported.contains(purchase.id) || history.hasReported(refundOf: purchase.id)
                news = Cancellation(
                    transaction: purchase.id, cancelledAt: known?.cancelledAt ?? cancelledAt,
                    isReported: isReported, isReversed: false)
            } else if reversed.contains(purchase.id) {
                news = cancellationTakenBack(of: purchase)
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
