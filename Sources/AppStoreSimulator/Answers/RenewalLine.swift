/// One element of `pending_renewal_info`: Apple's plan for a chain.
struct RenewalLine {
    let subscription: Subscription
    let now: Moment
    let quirks: Set<AnswerQuirk>

    /// Nil before the first purchase.
    func fields() -> JSONFields? {
        guard let latest = subscription.latest(at: now) else { return nil }
        let renewal = subscription.renewal
        var fields = JSONFields([
            ("auto_renew_product_id", .text((renewal.nextProduct ?? latest.product).id)),
            ("product_id", .text(latest.product.id)),
        ])
        if !quirks.contains(.renewalWithoutChain) {
            fields.add("original_transaction_id", String(latest.originalID))
        }
        let isOff = renewal.turnedOffAt.map { $0 <= now } ?? false
        fields.add("auto_renew_status", isOff ? "0" : "1")
        // Apple asks for consent only while the subscription is active.
        if renewal.asksForConsent, latest.expiresAt.map({ $0 > now }) ?? false {
            fields.add("price_consent_status", "0")
        }
        let isOver = latest.expiresAt.map { $0 <= now } ?? false
        guard isOver else { return fields }
        fields.add("expiration_intent", renewal.intent.map { String($0) })
        if let failure = renewal.failure {
            fields.add("is_in_billing_retry_period", failure.isRetrying(at: now) ? "1" : "0")
            if let grace = failure.grace(at: now) {
                fields.add(date: "grace_period_expires_date", grace)
            }
        } else if renewal.intent != nil {
            fields.add("is_in_billing_retry_period", "0")
        }
        return fields
    }
}
