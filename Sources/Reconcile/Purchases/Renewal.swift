/// Apple's plan for the end of a subscription's period: an entry of `pending_renewal_info`.
struct Renewal: Hashable, Sendable {
    var originalID: TransactionID
    /// Whether the subscription is set to renew. Not its current state.
    var willRenew: Bool?
    /// The product of the next period. Differs from the current one after a downgrade.
    var renewsAs: ProductID?
    var expirationIntent: ExpirationIntent?
    var isInBillingRetry = false
    var gracePeriodExpiresAt: Instant?
    /// The subscription's state by the App Store Server API, `1` to `5`.
    var appleStatus: Int?
}

extension Renewal {
    /// Merges two entries of one chain in any order: the values that keep access longest win.
    func merged(with other: Renewal) -> Renewal {
        Renewal(
            originalID: originalID,
            willRenew: willRenew == true || other.willRenew == true
                ? true : willRenew ?? other.willRenew,
            renewsAs: [renewsAs, other.renewsAs].compactMap(\.self).max(),
            expirationIntent: [expirationIntent, other.expirationIntent].compactMap(\.self)
                .max { $0.rawValue < $1.rawValue },
            isInBillingRetry: isInBillingRetry || other.isInBillingRetry,
            gracePeriodExpiresAt: [gracePeriodExpiresAt, other.gracePeriodExpiresAt]
                .compactMap(\.self).max(),
            appleStatus: [appleStatus, other.appleStatus].compactMap(\.self).min())
    }
}
