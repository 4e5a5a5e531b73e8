/// The kinds of a user's products.
struct ProductKinds: Sendable {
    let catalog: Catalog
    /// Products outside the catalogue for which a verified answer of the user, of any environment
    /// and app, shows an expiry. They are subscriptions.
    let seenExpiring: Set<ProductID>
    /// The kinds of products outside the catalogue, from receipts that Apple signed; never a
    /// subscription.
    var signed: [ProductID: ProductKind] = [:]

    /// The catalogue's kind, else `autoRenewable` for `seenExpiring`, else the signed kind. Nil:
    /// unknown.
    func kind(of product: ProductID) -> ProductKind? {
        if let kind = catalog.products[product]?.kind { return kind }
        return seenExpiring.contains(product) ? .autoRenewable : signed[product]
    }

    func isPeriod(_ purchase: Purchase) -> Bool {
        purchase.expiresAt != nil && kind(of: purchase.product) == .autoRenewable
    }

    func isOwnedForGood(_ purchase: Purchase) -> Bool {
        purchase.expiresAt == nil && kind(of: purchase.product) == .nonConsumable
    }
}
