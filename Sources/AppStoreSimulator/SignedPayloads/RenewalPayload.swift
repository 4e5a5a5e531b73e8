/// What Apple signs of a chain's renewal: `JWSRenewalInfoDecodedPayload`.
struct RenewalPayload {
    let subscription: Subscription
    let account: KnownAccount

    /// Nil before the first purchase.
    func fields() -> JSONFields? {
        let now = account.now
        guard let latest = subscription.latest(at: now), let expiry = latest.expiresAt else {
            return nil
        }
        let renewal = subscription.renewal
        let next = renewal.nextProduct ?? latest.product
        let isOff = renewal.turnedOffAt.map { $0 <= now } ?? false
        var fields = JSONFields([
            ("originalTransactionId", .text(String(latest.originalID))),
            ("productId", .text(latest.product.id)), ("autoRenewProductId", .text(next.id)),
            ("autoRenewStatus", .number(isOff ? 0 : 1)),
            ("signedDate", .number(account.signedAt.milliseconds)),
            ("environment", .text(account.environment.rawValue)),
            ("recentSubscriptionStartDate", .number(latest.originallyPurchasedAt.milliseconds)),
            ("appTransactionId", .text(account.appTransaction)),
        ])
        if !isOff, expiry > now { addNext(next, at: expiry, to: &fields) }
        // Apple asks for consent only while the subscription is active.
        if renewal.asksForConsent, expiry > now { fields.add("priceIncreaseStatus", .number(0)) }
        guard expiry <= now else { return fields }
        if let intent = renewal.intent { fields.add("expirationIntent", .number(Int64(intent))) }
        if let failure = renewal.failure {
            fields.add("isInBillingRetryPeriod", .bool(failure.isRetrying(at: now)))
            if let grace = failure.grace(at: now) {
                fields.add("gracePeriodExpiresDate", .number(grace.milliseconds))
            }
        } else if renewal.intent != nil {
            fields.add("isInBillingRetryPeriod", .bool(false))
        }
        return fields
    }

    private func addNext(
        _ product: SimulatedProduct, at moment: Moment, to fields: inout JSONFields
    ) {
        let storefront = account.storefront
        let price = storefront.price(of: Purchase(product, id: 0, at: moment))
        fields.add("renewalDate", .number(moment.milliseconds))
        fields.add("renewalPrice", .number(Int64(price)))
        fields.add("currency", storefront.currency)
    }
}
