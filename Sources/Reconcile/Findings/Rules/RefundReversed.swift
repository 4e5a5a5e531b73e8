extension FindingKind {
    /// A refund reversed: an earlier run saw it, and the purchase is valid again. Reported once.
    static let refundReversed = FindingKind(
        "refund_reversed", .info, .none, in: .refunds, action: .none, event: .reversal)
}

extension FactRule {
    // `Judge` drops those that `refund_reversed_not_restored` mentions.
    static let refundReversed = FactRule(.refundReversed) { user in
        guard !user.history.refunds.isEmpty else { return [] }
        return user.purchases.all.compactMap { Finding(refundReversalOf: $0, of: user) }
    }
}

extension Finding {
    /// Nil unless an earlier run reported a refund of the purchase, and it is not cancelled now.
    init?(refundReversalOf purchase: Purchase, of user: UserCase) {
        guard user.hasReversedRefund(of: purchase),
            let refund = user.history.refunds[user.reference(ofRefundOf: purchase)],
            refund.isReported
        else { return nil }
        let what = purchase.isOfFamily ? "the family sharing withdrawn" : "a refund"
        self.init(
            .refundReversed, of: CancelledPurchase(purchase: purchase, at: refund.cancelledAt),
            of: user,
            explanation: "Apple no longer shows \(what) of \(purchase.named), of"
                + " \(refund.cancelledAt), which an earlier run reported: the purchase is valid"
                + " again.")
        reason = nil
    }
}

extension UserCase {
    func hasReversedRefund(of purchase: Purchase) -> Bool {
        guard !history.refunds.isEmpty, !purchase.isCancelled, !purchase.isCancelledLater else {
            return false
        }
        let reference = reference(ofRefundOf: purchase)
        return history.refunds[reference] != nil
            && !cancellations.contains { self.reference(ofRefundOf: $0.purchase) == reference }
    }
}

struct KnownRefund: Hashable, Sendable {
    let cancelledAt: Instant
    /// False when it was older than `--event-horizon` when first seen.
    let isReported: Bool
    var isReversed = false
}

extension [LedgerEntry] {
    /// By `refundReference`.
    var refunds: [String: KnownRefund] {
        var refunds: [String: KnownRefund] = [:]
        let kinds: Set<FindingKind> = [
            .refundRecorded, .familyRevocationRecorded, .refundWithoutReceipt,
        ]
        for entry in self where kinds.contains(entry.identity.kind) {
            refunds[entry.identity.reference] = KnownRefund(
                cancelledAt: entry.eventAt ?? entry.firstSeen,
                isReported: entry.state == .event)
        }
        for entry in self where entry.identity.kind == .refundReversed {
            refunds[entry.identity.reference]?.isReversed = true
        }
        return refunds
    }
}
