/// What happens at the end of a chain's last period: `pending_renewal_info`.
struct Renewal: Sendable {
    var turnedOffAt: Moment?
    var nextProduct: SimulatedProduct?
    /// `expiration_intent`: 1 cancelled, 2 billing, 3 price, 4 product unavailable, 5 unknown.
    var intent: Int?
    var failure: BillingFailure?
    var asksForConsent = false
}

struct BillingFailure: Sendable {
    let since: Moment
    /// Nil when the app has no billing grace period.
    let graceUntil: Moment?
    /// Apple retries for 60 days.
    let givesUpAt: Moment
    var recoveredAt: Moment?

    func isRetrying(at now: Moment) -> Bool {
        now >= since && now < min(givesUpAt, recoveredAt ?? givesUpAt)
    }

    func grace(at now: Moment) -> Moment? { isRetrying(at: now) ? graceUntil : nil }
}
