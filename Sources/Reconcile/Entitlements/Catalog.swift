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

    func has(_ product: ProductID) -> Bool { products.index(forKey: product) != nil }

    func right(of product: ProductID) -> Right {
        products[product]?.group.map(Right.group) ?? .product(product)
    }
}

enum Right: Hashable, Sendable {
    case group(SubscriptionGroupID)
    case product(ProductID)

    var name: String {
        switch self {
        case .group(let group): group.text
        case .product(let product): product.text
        }
    }
}

package struct CatalogProduct: Hashable, Sendable {
    let id: ProductID
    let kind: ProductKind
    let group: SubscriptionGroupID?
    let serviceLevel: Int?
    /// The length of access of one purchase; non-renewing products only.
    let accessDuration: CalendarInterval?
    let billingPeriod: CalendarInterval?
    /// A decimal number as PostgreSQL prints it, for example `9.90`.
    let listPrice: String?
    /// ISO 4217.
    package let currency: String?

    package init(
        id: ProductID, kind: ProductKind, group: SubscriptionGroupID? = nil,
        serviceLevel: Int? = nil, accessDuration: CalendarInterval? = nil,
        billingPeriod: CalendarInterval? = nil, listPrice: String? = nil, currency: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.group = group
        self.serviceLevel = serviceLevel
        self.accessDuration = accessDuration
        self.billingPeriod = billingPeriod
        self.listPrice = listPrice
        self.currency = currency
    }
}

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
