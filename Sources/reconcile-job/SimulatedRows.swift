internal import AppStoreSimulator
internal import Reconcile

/// Converts from AppStoreSimulator to Reconcile: these modules do not import each other.
enum SimulatedCatalog {
    static let catalog = Catalog(
        products: SimulatedApp.all.flatMap(\.products).filter(\.isInCatalog)
            .map(CatalogProduct.init),
        apps: SimulatedApp.all.map { app in
            CatalogApp(
                bundle: BundleID(app.bundle), lastPaidVersion: app.lastPaidVersion,
                paidUntil: app.paidUntil.map(Instant.init),
                premiumProduct: app.premiumProduct.map { ProductID($0) })
        })

    static let assets = SimulatedAsset.all.map { asset in
        ReferenceAsset(
            id: asset.id, remoteProduct: asset.remoteProduct, productKey: asset.productKey,
            products: asset.products.map { (ProductID($0.product), $0.tier) })
    }
}

extension Instant {
    init(_ moment: Moment) { self.init(milliseconds: moment.milliseconds) }
}

extension CatalogProduct {
    fileprivate init(_ product: SimulatedProduct) {
        let period = product.period.map { period in
            switch period {
            case .months(let months): CalendarInterval(months: Int64(months))
            case .days(let days): CalendarInterval(days: Int64(days))
            }
        }
        self.init(
            id: ProductID(product.id), kind: ProductKind(product.kind),
            group: product.group.map { SubscriptionGroupID($0) }, serviceLevel: product.level,
            accessDuration: product.kind == .nonRenewing ? period : nil,
            billingPeriod: product.kind == .autoRenewable ? period : nil,
            listPrice: product.price, currency: "USD")
    }
}

extension ProductKind {
    fileprivate init(_ kind: SimulatedProduct.Kind) {
        switch kind {
        case .autoRenewable: self = .autoRenewable
        case .nonRenewing: self = .nonRenewing
        case .nonConsumable: self = .nonConsumable
        case .consumable: self = .consumable
        }
    }
}

extension StoredReceipt {
    init(_ receipt: SimulatedReceipt) {
        self.init(
            id: ReceiptID(receipt.id), user: UserID(receipt.user),
            bundle: BundleID(receipt.bundle), data: ReceiptData(receipt.data),
            storedAt: Instant(receipt.storedAt))
    }
}

extension StoredDownloadKey {
    init(_ key: SimulatedDownloadKey) {
        self.init(
            receipt: ReceiptID(key.receipt), product: ProductID(key.product),
            remoteProduct: key.asset.remoteProduct, key: key.key,
            expiresAt: Instant(key.expiresAt))
    }
}

extension StoredEntitlement {
    init(_ row: SimulatedEntitlement) {
        self.init(
            id: EntitlementID(row.id), user: UserID(row.user), product: ProductID(row.product),
            originalTransaction: row.originalTransaction.map { TransactionID($0) },
            isActive: row.isActive, expiresAt: row.expiresAt.map(Instant.init),
            autoRenew: row.autoRenew, ownership: row.ownership.flatMap(Ownership.init(rawValue:)),
            source: EntitlementSource(row.source), updatedAt: Instant(row.updatedAt))
    }
}
