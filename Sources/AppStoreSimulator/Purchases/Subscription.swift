/// A chain of an auto-renewable subscription: its periods, and what comes after the last.
struct Subscription: Sendable {
    /// In order of time. Renewals after the instant of the world are not made yet.
    var periods: [Purchase]
    var renewal = Renewal()

    func seen(at now: Moment) -> [Purchase] { periods.filter { $0.purchasedAt <= now } }

    /// The period that ends last, upgraded ones apart.
    func latest(at now: Moment) -> Purchase? {
        seen(at: now).filter { !$0.isUpgraded(at: now) }
            .max { ($0.expiresAt ?? $0.purchasedAt) < ($1.expiresAt ?? $1.purchasedAt) }
    }
}

/// What Apple means to do when the last period of a chain ends: `pending_renewal_info`.
struct Renewal: Sendable {
    /// When the customer turned renewing off.
    var turnedOffAt: Moment?
    /// A product of the group that the customer has chosen for the next period.
    var nextProduct: SimulatedProduct?
    /// Why it ended: 1 cancelled, 2 billing, 3 price increase, 4 product unavailable, 5 unknown.
    var intent: Int?
    var failure: BillingFailure?
    /// Apple asked for consent to a higher price.
    var asksForConsent = false
}

/// A payment that does not go through.
struct BillingFailure: Sendable {
    /// The end of the last paid period.
    let since: Moment
    /// Nil where the app has no billing grace period.
    let graceUntil: Moment?
    /// Apple tries for 60 days.
    let givesUpAt: Moment
    /// When the payment went through after all.
    var recoveredAt: Moment?

    func isRetrying(at now: Moment) -> Bool {
        now >= since && now < min(givesUpAt, recoveredAt ?? givesUpAt)
    }

    func grace(at now: Moment) -> Moment? { isRetrying(at: now) ? graceUntil : nil }
}
