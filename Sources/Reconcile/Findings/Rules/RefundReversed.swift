extension FindingKind {
    /// A refund that an earlier run told of is gone: the purchase stands again. Told once.
    static let refundReversed = FindingKind(
        "refund_reversed", .info, .none, in: .refunds, action: .none, isEvent: true)
}

extension FactRule {
    /// Those that `refund_reversed_not_restored` names are left out by the judge.
    static let refundReversed = FactRule(.refundReversed) { user in
        user.purchases.all.compactMap { Finding(refundReversalOf: $0, of: user) }
    }
}

extension Finding {
    /// Nil unless an earlier run reported a refund of the purchase, which is not cancelled now.
    init?(refundReversalOf purchase: Purchase, of user: UserCase) {
        guard user.hasReversedRefund(of: purchase),
            let refund = user.history.refunds[user.reference(ofRefundOf: purchase)],
            refund.isReported
        else { return nil }
        let what = purchase.isFamilyShared ? "the family sharing withdrawn" : "a refund"
        self.init(
            .refundReversed, of: CancelledPurchase(purchase: purchase, at: refund.cancelledAt),
            of: user,
            explanation: "Apple no longer shows \(what) of \(purchase.named), of"
                + " \(refund.cancelledAt), which an earlier run reported: the purchase stands"
                + " again.")
        reason = nil
    }
}

extension UserCase {
    /// Whether an earlier run saw the purchase cancelled, and neither it nor another that is known
    /// by the same line item or id is cancelled now. What is cancelled after the instant of
    /// judgement was not taken back.
    func hasReversedRefund(of purchase: Purchase) -> Bool {
        guard !history.refunds.isEmpty, !purchase.isCancelled, !purchase.isCancelledLater else {
            return false
        }
        let reference = reference(ofRefundOf: purchase)
        return history.refunds[reference] != nil
            && !cancellations.contains { self.reference(ofRefundOf: $0.purchase) == reference }
    }
}

/// A refund that an earlier run saw.
struct KnownRefund: Hashable, Sendable {
    let cancelledAt: Instant
    /// False: it was older than `--event-horizon` when it was first seen.
    let isReported: Bool
    /// A run has reported that Apple reversed it.
    var isReversed = false
}

extension [LedgerEntry] {
    /// By what a refund is known by from night to night.
    var refunds: [String: KnownRefund] {
        var refunds: [String: KnownRefund] = [:]
        let kinds: Set<FindingKind> = [.refundRecorded, .familyRevocationRecorded]
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
