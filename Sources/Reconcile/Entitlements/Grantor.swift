/// What may give a right: a subscription chain, or the purchases of one product.
package struct Grantor: Sendable, Equatable {
    package enum State: String, Hashable, Sendable {
        case active, grace, revoked
        case familyRevoked = "family_revoked"
        case billingRetry = "billing_retry"
        case expired
    }

    package let state: State
    /// When the right ends or ended. Nil: without an end.
    package let endsAt: Instant?
    package let product: ProductID
    package let kind: ProductKind
    /// The purchase that gives the right, or would if it still did.
    let covering: Purchase
    /// For what is over: the latest of the end, a grace period's end, and any cancellation.
    let goneAt: Instant?
    /// Nil for anything but subscriptions.
    var renewal: Renewal?
    /// Renewals of the chain that Apple has charged before they begin. They give no right yet, and
    /// nobody is accused for knowing of them.
    var chargedAhead: [Purchase] = []
    /// The right of `product`, and those of every other product that stands in the chain.
    var rights: Set<Right>
    /// The chain; of a product the original ids of all its purchases: what a row may name it by.
    var originalIDs: Set<TransactionID>

    package var entitles: Bool { state == .active || state == .grace }

    /// The chain, or the first transaction of the covering purchase.
    package var originalID: TransactionID { covering.originalID }

    /// The chain that a stored row may name; nil for anything but subscriptions.
    var chain: TransactionID? { kind == .autoRenewable ? covering.originalID : nil }

    /// `endsAt`, no end being the latest.
    var lastInstant: Instant { endsAt ?? .distantFuture }

    /// Why the subscription ended, as Apple says.
    var expirationReason: ExpirationIntent { renewal?.expirationIntent ?? .unknown }
}

extension Grantor {
    /// Whether this one speaks for the right before `other` (SPEC §4.4): `active`, then `grace`,
    /// then the rest; then the row's own product, the row's own chain, the latest end, and the
    /// smallest id.
    func comesBefore(_ other: Grantor, for row: StoredEntitlement?) -> Bool {
        let (own, others) = (precedence(for: row), other.precedence(for: row))
        guard own == others else { return own < others }
        guard lastInstant == other.lastInstant else { return lastInstant > other.lastInstant }
        guard originalID == other.originalID else { return originalID < other.originalID }
        return product < other.product
    }

    private func precedence(for row: StoredEntitlement?) -> Int {
        let rank = state == .active ? 0 : state == .grace ? 4 : 8
        guard let row else { return rank }
        return rank + (row.product == product ? 0 : 2)
            + (row.originalTransaction == originalID ? 0 : 1)
    }
}
