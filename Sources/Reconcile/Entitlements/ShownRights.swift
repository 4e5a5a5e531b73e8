/// The rights that one receipt gives on its own at an instant, without a catalogue, for `inspect`.
struct ShownRights: Sendable {
    enum State: Equatable, Sendable {
        /// Nil: without an end.
        case active(until: Instant?)
        case expired(on: Instant)
        case refunded(on: Instant)
        /// The receipt does not say how long the product lasts or whether it was used up.
        case bought(on: Instant)
    }

    struct Product: Equatable, Sendable {
        let id: ProductID
        let state: State
    }

    /// Unique, sorted by id.
    let products: [Product]

    /// - Parameter kinds: from the receipt, for products without an expiry.
    init(of receipt: Receipt, kinds signed: [ProductID: ProductKind], at instant: Instant) {
        let expiring = Set(
            receipt.transactions.filter { $0.expiresAt != nil }.map(\.product))
        let kinds = ProductKinds(
            catalog: Catalog(), seenExpiring: expiring, signed: signed)
        let source = VerifiedReceipt(
            id: "", storedBundle: receipt.bundle, receipt: receipt)
        let purchases = Purchases(in: [source], asOf: instant, kinds: kinds)
        var states: [ProductID: State] = [:]
        for grantor in Grantors(of: purchases, kinds: kinds, asOf: instant).all
            .sorted(by: { $1.comesBefore($0, for: nil) })
        {
            states[grantor.product] = State(grantor)
        }
        for purchase in purchases.all.sorted(by: { $0.purchasedAt < $1.purchasedAt })
        where !kinds.isDecidable(purchase.product) {
            states[purchase.product] =
                purchase.cancelledAt.map(State.refunded) ?? .bought(on: purchase.purchasedAt)
        }
        products = states.map { Product(id: $0.key, state: $0.value) }.sorted { $0.id < $1.id }
    }
}

extension ShownRights.State {
    fileprivate init(_ grantor: Grantor) {
        switch grantor.state {
        case .active, .grace: self = .active(until: grantor.endsAt)
        case .revoked, .familyRevoked: self = .refunded(on: grantor.lastInstant)
        case .billingRetry, .expired: self = .expired(on: grantor.lastInstant)
        }
    }

    var words: String {
        switch self {
        case .active(let end?): "active until \(end)"
        case .active(nil): "active, without an end"
        case .expired(let end): "expired on \(end)"
        case .refunded(let end): "refunded on \(end)"
        case .bought(let start): "bought on \(start); its end is not in the receipt"
        }
    }
}

extension ProductKinds {
    /// Whether the receipt alone decides when the product's right ends.
    fileprivate func isDecidable(_ product: ProductID) -> Bool {
        switch kind(of: product) {
        case .autoRenewable, .nonConsumable: true
        case .nonRenewing, .consumable, nil: false
        }
    }
}
