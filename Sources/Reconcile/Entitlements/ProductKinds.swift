/// Of what kind a user's products are (SPEC §4.1).
struct ProductKinds: Sendable {
    let catalog: Catalog
    /// Products for which some verified answer of the user, of any environment and app, shows an
    /// expiry: how a product that is not in the catalogue is known for a subscription.
    let seenExpiring: Set<ProductID>
    /// What the user's receipts say, signed by Apple, of other products that are not in the
    /// catalogue. None is a subscription.
    var signed: [ProductID: ProductKind] = [:]

    /// The catalogue's kind; else `autoRenewable` for a product that was seen expiring; else what
    /// a signed receipt says. Nil: unknown.
    func kind(of product: ProductID) -> ProductKind? {
        if let kind = catalog.products[product]?.kind { return kind }
        return seenExpiring.contains(product) ? .autoRenewable : signed[product]
    }

    /// Whether a purchase is a paid period of a subscription.
    func isPeriod(_ purchase: Purchase) -> Bool {
        purchase.expiresAt != nil && kind(of: purchase.product) == .autoRenewable
    }

    /// Whether a purchase is one of a non-consumable.
    func isOwnedForGood(_ purchase: Purchase) -> Bool {
        purchase.expiresAt == nil && kind(of: purchase.product) == .nonConsumable
    }
}
