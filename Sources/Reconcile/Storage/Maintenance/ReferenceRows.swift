/// Rows of the reference app for some of its users.
package struct ReferenceRows: Sendable {
    var receipts: [StoredReceipt]
    var entitlements: [StoredEntitlement]
    var downloadKeys: [(asset: String, key: StoredDownloadKey)]

    package init(
        receipts: [StoredReceipt], entitlements: [StoredEntitlement],
        downloadKeys: [(asset: String, key: StoredDownloadKey)] = []
    ) {
        self.receipts = receipts
        self.entitlements = entitlements
        self.downloadKeys = downloadKeys
    }
}

package struct ReferenceAsset: Sendable {
    let id: String
    let remoteProduct: String
    let productKey: String
    /// The products that unlock it, with their tiers, 1 to 3.
    let products: [(product: ProductID, tier: Int)]

    package init(
        id: String, remoteProduct: String, productKey: String,
        products: [(product: ProductID, tier: Int)]
    ) {
        self.id = id
        self.remoteProduct = remoteProduct
        self.productKey = productKey
        self.products = products
    }
}

/// Rows of schema `app`, in the column order of `sql/queries/reference.sql`.
extension CopyBuffer {
    init(apps catalog: Catalog) {
        self.init()
        for app in catalog.apps.values.sorted(by: { $0.bundle < $1.bundle }) {
            append(app.bundle.text)
            append(app.lastPaidVersion)
            append(app.paidUntil?.timestamptz)
            append(app.premiumProduct?.text)
            endRow()
        }
    }

    init(products catalog: Catalog) {
        self.init()
        for product in catalog.products.values.sorted(by: { $0.id < $1.id }) {
            append(product.id.text)
            append(product.kind.rawValue)
            append(product.group?.text)
            append(product.serviceLevel)
            append(product.accessDuration?.intervalText)
            append(product.billingPeriod?.intervalText)
            append(product.listPrice)
            append(product.currency)
            endRow()
        }
    }

    init(receipts: [StoredReceipt]) {
        self.init()
        for receipt in receipts {
            append(receipt.id.text)
            append(receipt.user.text)
            append(receipt.bundle.text)
            append(String(decoding: receipt.data.text, as: UTF8.self))
            append(receipt.storedAt.timestamptz)
            endRow()
        }
    }

    init(assets: [ReferenceAsset]) {
        self.init()
        for asset in assets {
            append(asset.id)
            append(asset.remoteProduct)
            append(asset.productKey)
            endRow()
        }
    }

    init(links assets: [ReferenceAsset]) {
        self.init()
        for asset in assets {
            for (product, tier) in asset.products {
                append(product.text)
                append(asset.id)
                append(tier)
                endRow()
            }
        }
    }

    init(downloadKeys: [(asset: String, key: StoredDownloadKey)]) {
        self.init()
        for (asset, key) in downloadKeys {
            append(key.receipt.text)
            append(key.product.text)
            append(asset)
            append(key.remoteProduct)
            append(true)
            append(key.key)
            append(key.expiresAt.timestamptz)
            append(key.key.map { _ in "simulated" })
            endRow()
        }
    }

    init(entitlements: [StoredEntitlement]) {
        self.init()
        for row in entitlements {
            append(row.id.text)
            append(row.user.text)
            append(row.product.text)
            append(row.originalTransaction?.text)
            append(row.isActive)
            append(row.expiresAt?.timestamptz)
            append(row.autoRenew)
            append(row.ownership?.rawValue)
            append(row.source.text)
            append(row.updatedAt.timestamptz)
            endRow()
        }
    }
}

extension CalendarInterval {
    fileprivate var intervalText: String {
        "\(months) months \(days) days \(milliseconds) milliseconds"
    }
}

extension EntitlementSource {
    fileprivate var text: String {
        switch self {
        case .appStore: "app_store"
        case .legacyPaid: "legacy_paid"
        case .other(let text): text
        }
    }
}
