/// One auto-renewable subscription: the transactions of a chain and what Apple means to do next.
struct Subscription {
    let transactions: [Purchase]
    let renewal: Renewal?

    /// Where the subscription stands at `asOf`: `active`, `grace`, `revoked`, `family_revoked`,
    /// `billing_retry` or `expired`, in this order (SPEC §4.2). Nil when nothing in it but what was
    /// upgraded, or has no expiry, stands.
    func standing(asOf: Instant) -> Standing? {
        let periods = transactions.filter { $0.expiresAt != nil && !$0.isUpgraded }
        guard let latest = periods.max(by: Self.isEarlier), let expiresAt = latest.expiresAt else {
            return nil
        }
        let running = periods.lazy.filter { !$0.isCancelled && $0.lasts(after: asOf) }
        if let covering = running.max(by: Self.isEarlier) {
            return Standing(state: .active, endsAt: covering.expiresAt, covering: covering)
        }
        let graceEndsAt = renewal?.gracePeriodExpiresAt
        if let graceEndsAt, graceEndsAt > asOf, !latest.isCancelled {
            return Standing(state: .grace, endsAt: graceEndsAt, covering: latest)
        }
        if let cancelledAt = latest.cancelledAt, cancelledAt < expiresAt {
            return Standing(
                state: latest.isFamilyShared ? .familyRevoked : .revoked, endsAt: cancelledAt,
                covering: latest)
        }
        let cancellations = periods.compactMap(\.cancelledAt)
        return Standing(
            state: renewal?.isInBillingRetry == true ? .billingRetry : .expired,
            endsAt: expiresAt, covering: latest,
            goneAt: ([expiresAt] + cancellations + [graceEndsAt].compactMap(\.self)).max())
    }

    /// By expiry, then by purchase, a cancelled one before one that is not, then by id.
    private static func isEarlier(_ left: Purchase, _ right: Purchase) -> Bool {
        let (leftEnd, rightEnd) = (left.expiresAt ?? .distantPast, right.expiresAt ?? .distantPast)
        guard leftEnd == rightEnd else { return leftEnd < rightEnd }
        guard left.purchasedAt == right.purchasedAt else {
            return left.purchasedAt < right.purchasedAt
        }
        guard left.isCancelled == right.isCancelled else { return left.isCancelled }
        return left.id.isNumericallyLess(than: right.id)
    }
}

/// The state of a chain or product at one instant, and the purchase that decides it.
struct Standing {
    let state: Grantor.State
    let endsAt: Instant?
    let covering: Purchase
    var goneAt: Instant?
}

extension Purchase {
    fileprivate func lasts(after instant: Instant) -> Bool {
        expiresAt.map { $0 > instant } ?? false
    }
}
