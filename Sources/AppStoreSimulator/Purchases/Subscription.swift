/// A chain of an auto-renewable subscription: its periods and its renewal state.
struct Subscription: Sendable {
    /// In order of time. Renewals after the simulated instant are not generated.
    var periods: [Purchase]
    var renewal = Renewal()

    func seen(at now: Moment) -> [Purchase] { periods.filter { $0.purchasedAt <= now } }

    /// The period with the latest end, without upgraded ones.
    func latest(at now: Moment) -> Purchase? {
        seen(at: now).filter { !$0.isUpgraded(at: now) }
            .max { ($0.expiresAt ?? $0.purchasedAt) < ($1.expiresAt ?? $1.purchasedAt) }
    }
}
