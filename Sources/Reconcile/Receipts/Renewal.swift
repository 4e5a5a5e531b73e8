/// What Apple means to do when a subscription's period ends: a line of `pending_renewal_info`.
package struct Renewal: Hashable, Sendable {
    package var originalID: TransactionID
    /// Whether Apple will renew. An intent, not the state of the subscription.
    package var willRenew: Bool?
    /// The product of the next period, which differs from today's after a downgrade.
    package var renewsAs: ProductID?
    package var expirationIntent: ExpirationIntent?
    /// Apple is still trying to collect the payment.
    package var isInBillingRetry: Bool
    package var gracePeriodExpiresAt: Instant?

    package init(
        originalID: TransactionID, willRenew: Bool? = nil, renewsAs: ProductID? = nil,
        expirationIntent: ExpirationIntent? = nil, isInBillingRetry: Bool = false,
        gracePeriodExpiresAt: Instant? = nil
    ) {
        (self.originalID, self.willRenew, self.renewsAs) = (originalID, willRenew, renewsAs)
        (self.expirationIntent, self.isInBillingRetry) = (expirationIntent, isInBillingRetry)
        self.gracePeriodExpiresAt = gracePeriodExpiresAt
    }
}

/// Apple's `expiration_intent`: why a subscription ended. Other values are kept as `unknown`.
package enum ExpirationIntent: String, Hashable, Sendable {
    case voluntary
    case billing
    case priceIncrease = "price_increase"
    case productUnavailable = "product_unavailable"
    case unknown

    package init(code: Int) {
        switch code {
        case 1: self = .voluntary
        case 2: self = .billing
        case 3: self = .priceIncrease
        case 4: self = .productUnavailable
        default: self = .unknown
        }
    }
}
