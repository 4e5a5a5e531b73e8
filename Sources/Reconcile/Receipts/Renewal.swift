/// Apple's plan for the end of a subscription's period: an entry of `pending_renewal_info`.
package struct Renewal: Hashable, Sendable {
    package var originalID: TransactionID
    /// Whether the subscription is set to renew. Not its current state.
    package var willRenew: Bool?
    /// The product of the next period. Differs from the current one after a downgrade.
    package var renewsAs: ProductID?
    package var expirationIntent: ExpirationIntent?
    /// Apple is still retrying the payment.
    package var isInBillingRetry = false
    package var gracePeriodExpiresAt: Instant?
}

/// Apple's `expiration_intent`: why a subscription ended. Other codes become `unknown`.
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
