/// A product that is bought once, or again and again, and never renews by itself (SPEC §4.3).
struct OneTimeProduct {
    let purchases: [Purchase]

    /// A non-consumable: owned for ever while one purchase stands, the newest covering.
    func ownership() -> Standing? {
        if let covering = standing.max(by: { $0.isBoughtBefore($1) }) {
            return Standing(state: .active, endsAt: nil, covering: covering)
        }
        return revocation
    }

    /// A non-renewing product: purchases that stand follow one another in order of purchase, each
    /// from the later of its purchase and the end so far, for `duration`.
    func pass(lasting duration: CalendarInterval, asOf: Instant) -> Standing? {
        let stack = standing.sorted { $0.isBoughtBefore($1) }
        guard let covering = stack.last else { return revocation }
        let end = stack.reduce(Instant.distantPast) { end, purchase in
            duration.added(to: max(end, purchase.purchasedAt))
        }
        guard end <= asOf else { return Standing(state: .active, endsAt: end, covering: covering) }
        return Standing(
            state: .expired, endsAt: end, covering: covering,
            goneAt: ([end] + purchases.compactMap(\.cancelledAt)).max())
    }

    private var standing: [Purchase] { purchases.filter { !$0.isCancelled } }

    /// All are cancelled: the right ended with the one cancelled last.
    private var revocation: Standing? {
        purchases.max { $0.isCancelledBefore($1) }.map { last in
            Standing(
                state: last.isFamilyShared ? .familyRevoked : .revoked, endsAt: last.cancelledAt,
                covering: last)
        }
    }
}
