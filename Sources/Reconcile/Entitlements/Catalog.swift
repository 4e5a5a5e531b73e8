package struct Catalog: Sendable {
    package let products: [ProductID: CatalogProduct]
    let apps: [BundleID: CatalogApp]
    /// Products with a download, known from the stored download keys.
    package var downloadable: Set<ProductID> = []

    package init(products: [CatalogProduct] = [], apps: [CatalogApp] = []) {
        self.products = Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        self.apps = Dictionary(apps.map { ($0.bundle, $0) }, uniquingKeysWith: { $1 })
        hasPaidApps = apps.contains(where: \.wasPaidFor)
    }

    let hasPaidApps: Bool

    func wasPaidFor(_ bundle: BundleID) -> Bool { apps[bundle]?.wasPaidFor ?? false }

    /// The apps with a premium product.
    package var appsWithPremium: Set<BundleID> {
        Set(apps.filter { $0.value.premiumProduct != nil }.keys)
    }

    func has(_ product: ProductID) -> Bool { products.index(forKey: product) != nil }

    func right(of product: ProductID) -> Right {
        products[product]?.group.map(Right.group) ?? .product(product)
    }
}
