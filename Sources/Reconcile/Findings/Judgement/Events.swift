/// The second table of SPEC §5: what happened, whatever the service did about it.
extension Account {
    /// Every cancelled transaction that was not upgraded, once: no earlier run has reported it.
    /// Consumables too.
    func refundEvents() -> [Finding] {
        purchases.all.compactMap { purchase -> Finding? in
            guard let cancelledAt = purchase.cancelledAt, !purchase.isUpgraded,
                settings.isReportable(eventAt: cancelledAt),
                !history.hasReported(refundOf: purchase.id)
            else { return nil }
            return refund(of: purchase, cancelledAt: cancelledAt)
        }
    }

    /// Every chain and stack that expired, whether or not another grantor still gives the right.
    /// - Parameter explained: those that this run reports as `expired_still_granted`.
    func expiryEvents(besides explained: [Grantor]) -> [Finding] {
        let explained = Set(explained.map(EndedRight.init))
        return grantors.compactMap { grantor -> Finding? in
            guard grantor.state == .expired, let endsAt = grantor.endsAt,
                settings.isReportable(eventAt: endsAt), !settings.isSettling(grantor.goneAt),
                !explained.contains(EndedRight(grantor))
            else { return nil }
            return expiry(of: grantor, endedAt: endsAt)
        }
    }
}

/// A chain or stack and the end it came to.
struct EndedRight: Hashable {
    let originalID: TransactionID
    let endsAt: Instant?

    init(_ grantor: Grantor) {
        (originalID, endsAt) = (grantor.originalID, grantor.endsAt)
    }
}
