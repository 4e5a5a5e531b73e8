package struct CatalogApp: Hashable, Sendable {
    let bundle: BundleID
    let lastPaidVersion: String?
    let paidUntil: Instant?
    let premiumProduct: ProductID?

    package init(
        bundle: BundleID, lastPaidVersion: String? = nil, paidUntil: Instant? = nil,
        premiumProduct: ProductID? = nil
    ) {
        self.bundle = bundle
        self.lastPaidVersion = lastPaidVersion
        self.paidUntil = paidUntil
        self.premiumProduct = premiumProduct
    }

    /// Whether the app was paid before it became free: users who paid keep the premium product.
    var wasPaidFor: Bool {
        premiumProduct != nil && (lastPaidVersion != nil || paidUntil != nil)
    }
}
