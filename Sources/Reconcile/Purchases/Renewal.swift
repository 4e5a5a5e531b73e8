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
}
