struct ProductKinds: Sendable {
    let catalog: Catalog
    /// Subscriptions outside the catalogue: an answer of any environment or app shows an expiry.
    let seenExpiring: Set<ProductID>
    /// Kinds that answers of the App Store Server API tell.
    var typed: [ProductID: ProductKind] = [:]
    /// Kinds outside the catalogue, from receipts that Apple signed; never a subscription.
    var signed: [ProductID: ProductKind] = [:]

    /// Nil: unknown.
    func kind(of product: ProductID) -> ProductKind? {
        if let kind = catalog.products[product]?.kind { return kind }
        if !typed.isEmpty, let kind = typed[product] { return kind }
        return seenExpiring.contains(product) ? .autoRenewable : signed[product]
    }

    func isPeriod(_ purchase: Purchase) -> Bool {
        purchase.expiresAt != nil && kind(of: purchase.product) == .autoRenewable
    }

    func isOwnedForGood(_ purchase: Purchase) -> Bool {
        purchase.expiresAt == nil && kind(of: purchase.product) == .nonConsumable
    }
}
