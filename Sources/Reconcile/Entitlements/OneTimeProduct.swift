/// A product that is bought once, or again and again, and never renews by itself (SPEC §4.3).
struct OneTimeProduct {
    let purchases: [Purchase]

    /// A non-consumable: owned for ever while one purchase stands, the newest covering.
    func ownership() -> Standing? {
        if let covering = standing.max(by: Self.isOlder) {
            return Standing(state: .active, endsAt: nil, covering: covering)
        }
        return revocation { $0.isFamilyShared ? .familyRevoked : .revoked }
    }

    /// A non-renewing product: purchases that stand follow one another in order of purchase, each
    /// from the later of its purchase and the end so far, for `duration`.
    func pass(lasting duration: CalendarInterval, asOf: Instant) -> Standing? {
        let stack = standing.sorted(by: Self.isOlder)
        guard let covering = stack.last else { return revocation { _ in .revoked } }
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
    private func revocation(_ state: (Purchase) -> Grantor.State) -> Standing? {
        let last = purchases.max { left, right in
            let (leftEnd, rightEnd) = (left.cancelledAt, right.cancelledAt)
            guard leftEnd == rightEnd else {
                return leftEnd ?? .distantPast < rightEnd ?? .distantPast
            }
            return left.id.isNumericallyLess(than: right.id)
        }
        return last.map { Standing(state: state($0), endsAt: $0.cancelledAt, covering: $0) }
    }

    private static func isOlder(_ left: Purchase, _ right: Purchase) -> Bool {
        left.purchasedAt == right.purchasedAt
            ? left.id.isNumericallyLess(than: right.id) : left.purchasedAt < right.purchasedAt
    }
}
