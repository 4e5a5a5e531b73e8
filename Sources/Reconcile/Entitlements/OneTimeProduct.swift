struct OneTimeProduct {
    let purchases: [Purchase]

    /// A non-consumable: owned while one purchase is not cancelled. The newest of them covers.
    func ownership() -> ProductAccess? {
        if let covering = standing.max(by: { $0.isBoughtBefore($1) }) {
            return ProductAccess(state: .active, endsAt: nil, covering: covering)
        }
        return revocation
    }

    /// A non-renewing product: uncancelled purchases are stacked. Each starts at the later of its
    /// purchase and the end so far, and lasts `duration`.
    func pass(lasting duration: CalendarInterval, asOf: Instant) -> ProductAccess? {
        let stack = standing.sorted { $0.isBoughtBefore($1) }
        guard let covering = stack.last else { return revocation }
        let end = stack.reduce(Instant.distantPast) { end, purchase in
            duration.added(to: max(end, purchase.purchasedAt))
        }
        guard end <= asOf else {
            return ProductAccess(state: .active, endsAt: end, covering: covering)
        }
        return ProductAccess(
            state: .expired, endsAt: end, covering: covering,
            goneAt: ([end] + purchases.compactMap(\.cancelledAt)).max())
    }

    private var standing: [Purchase] { purchases.filter { !$0.isCancelled } }

    /// For purchases that are all cancelled: the right ended with the last cancellation.
    private var revocation: ProductAccess? {
        purchases.max { $0.isCancelledBefore($1) }.map { last in
            ProductAccess(
                state: last.isOfFamily ? .familyRevoked : .revoked, endsAt: last.cancelledAt,
                covering: last)
        }
    }
}
