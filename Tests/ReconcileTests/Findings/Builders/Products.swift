@testable import Reconcile

// Products of a catalogue: `.subscription("pro", per: .month, usd: "9.00")`.

extension CatalogProduct {
    static func subscription(
        _ id: ProductID, group: SubscriptionGroupID? = nil, level: Int? = nil,
        per period: CalendarInterval? = nil, usd price: String? = nil
    ) -> CatalogProduct {
        CatalogProduct(
            id: id, kind: .autoRenewable, group: group, serviceLevel: level,
            billingPeriod: period, listPrice: price, currency: price.map { _ in "USD" })
    }

    /// - Parameter duration: nil where the catalogue does not know it.
    static func pass(
        _ id: ProductID, lasts duration: CalendarInterval?, usd price: String? = nil
    ) -> CatalogProduct {
        CatalogProduct(
            id: id, kind: .nonRenewing, accessDuration: duration, listPrice: price,
            currency: price.map { _ in "USD" })
    }

    static func boughtOnce(_ id: ProductID, usd price: String? = nil) -> CatalogProduct {
        CatalogProduct(
            id: id, kind: .nonConsumable, listPrice: price, currency: price.map { _ in "USD" })
    }

    static func consumable(_ id: ProductID, usd price: String? = nil) -> CatalogProduct {
        CatalogProduct(
            id: id, kind: .consumable, listPrice: price, currency: price.map { _ in "USD" })
    }
}

extension CalendarInterval {
    static let month = CalendarInterval(months: 1)
    static func days(_ count: Int64) -> CalendarInterval { CalendarInterval(days: count) }
}
