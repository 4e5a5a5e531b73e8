/// A subscription chain, or the purchases of one product, with the state of the right it gives.
///
/// A class: the rules ask for it often, and it refers to much.
final class Grantor: Sendable {
    enum State: String, Hashable, Sendable {
        case active, grace, revoked
        case familyRevoked = "family_revoked"
        case billingRetry = "billing_retry"
        case expired
    }

    let state: State
    /// When the right ends or ended. Nil: without an end.
    let endsAt: Instant?
    let product: ProductID
    let kind: ProductKind
    /// The purchase that decides the state.
    let covering: Purchase
    /// For an ended right: the latest of its end, a grace period's end, and any cancellation.
    let goneAt: Instant?
    let renewal: Renewal?
    /// Renewals that Apple charged before they begin. They give no right; a row may include them.
    let chargedAhead: [Purchase]
    /// The right of `product`.
    let right: Right
    /// The rights of the other products in the chain.
    let otherRights: [Right]
    /// Ids that a stored row may name: the chain's, or those of all purchases of a product.
    let originalIDs: Set<TransactionID>

    init(
        _ access: ProductAccess, kind: ProductKind, renewal: Renewal? = nil,
        chargedAhead: [Purchase] = [], right: Right, otherRights: [Right] = [],
        originalIDs: Set<TransactionID>
    ) {
        state = access.state
        endsAt = access.endsAt
        product = access.covering.product
        covering = access.covering
        goneAt = access.goneAt
        self.kind = kind
        self.renewal = renewal
        self.chargedAhead = chargedAhead
        self.right = right
        self.otherRights = otherRights
        self.originalIDs = originalIDs
    }

    func gives(_ other: Right) -> Bool { right == other || otherRights.contains(other) }

    var entitles: Bool { state == .active || state == .grace }

    var originalID: TransactionID { covering.originalID }

    var chain: TransactionID? { kind == .autoRenewable ? covering.originalID : nil }

    var lastInstant: Instant { endsAt ?? .distantFuture }

    var expirationReason: ExpirationIntent { renewal?.expirationIntent ?? .unknown }
}

extension Grantor {
    /// By state (`active`, `grace`, others), row's product, row's chain, latest end, smallest id.
    func comesBefore(_ other: Grantor, for row: StoredEntitlement?) -> Bool {
        let own = precedence(for: row)
        let others = other.precedence(for: row)
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
