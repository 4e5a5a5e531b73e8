extension FindingKind {
    /// Apple refunded a purchase. Reported by one run only; refund totals count only this kind.
    static let refundRecorded = FindingKind(
        "refund_recorded", .info, .none, in: .refunds, action: .none, money: .refund,
        event: .refund, isFoundOffline: true)
}

extension FactRule {
    static let refundRecorded = FactRule(.refundRecorded) { user in
        user.newCancellations.filter { !$0.purchase.isOfFamily }.map { cancelled in
            let what = cancelled.purchase.named
            let explanation =
                cancelled.purchase.source.proof.showsWhyCancelled
                ? "Apple refunded \(what) at \(cancelled.at)\(cancelled.purchase.refundReason)."
                : "Apple cancelled \(what) at \(cancelled.at), by a refund or since it is no longer"
                    + " shared by the family, which a receipt does not tell apart."
            var finding = Finding(
                .refundRecorded, of: cancelled, of: user, explanation: explanation)
            finding.estimate = Estimate(ofRefundOf: cancelled.purchase, user.kinds)
            return finding
        }
    }
}

struct CancelledPurchase: Sendable {
    let purchase: Purchase
    let at: Instant
}

extension UserCase {
    /// Cancellations after the event horizon that no earlier run reported, consumables included.
    var newCancellations: [CancelledPurchase] {
        cancellations.filter { cancelled in
            settings.isReportable(eventAt: cancelled.at)
                && history.refunds[reference(ofRefundOf: cancelled.purchase)] == nil
        }
    }

    /// Refunds before the event horizon. They are remembered but not reported: the first run would
    /// report years of refunds.
    var unreportableRefunds: [Finding] {
        cancellations.filter { cancelled in
            !settings.isReportable(eventAt: cancelled.at)
                && history.refunds[reference(ofRefundOf: cancelled.purchase)] == nil
        }.map { cancelled in
            let isShared = cancelled.purchase.isOfFamily
            return Finding(
                isShared ? .familyRevocationRecorded : .refundRecorded, of: cancelled, of: self,
                explanation: "")
        }
    }

    func reference(ofRefundOf purchase: Purchase) -> String {
        kinds.refundReference(of: purchase)
    }
}

extension Finding {
    init(
        _ kind: FindingKind, of cancelled: CancelledPurchase, of user: UserCase,
        explanation: String
    ) {
        let purchase = cancelled.purchase
        self.init(
            kind: kind, weight: kind.weight, user: user.evidence.user, explanation: explanation,
            reference: user.reference(ofRefundOf: purchase))
        let grantor = user.grantors.first { grantor in
            grantor.chain.map { $0 == purchase.originalID } ?? (grantor.product == purchase.product)
        }
        if let grantor { show(grantor) }
        show(purchase)
        reason = purchase.source.proof.showsWhyCancelled ? purchase.cancellationReasonName : nil
        eventAt = cancelled.at
        isUnclaimed = user.evidence.isUnclaimed
    }
}
