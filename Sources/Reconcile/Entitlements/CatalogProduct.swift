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
