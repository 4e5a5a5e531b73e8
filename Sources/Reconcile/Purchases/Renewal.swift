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

/// Apple's `expiration_intent`: why a subscription ended. Other codes become `unknown`.
enum ExpirationIntent: String, Hashable, Sendable {
    case voluntary
    case billing
    case priceIncrease = "price_increase"
    case productUnavailable = "product_unavailable"
    case unknown

    init(code: Int) {
        switch code {
        case 1: self = .voluntary
        case 2: self = .billing
        case 3: self = .priceIncrease
        case 4: self = .productUnavailable
        default: self = .unknown
        }
    }
}
