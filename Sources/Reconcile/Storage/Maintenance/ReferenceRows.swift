/// Rows of the reference service for some of its users.
package struct ReferenceRows: Sendable {
    package var receipts: [StoredReceipt]
    package var entitlements: [StoredEntitlement]

    package init(receipts: [StoredReceipt], entitlements: [StoredEntitlement]) {
        self.receipts = receipts
        self.entitlements = entitlements
    }
}

/// The rows of schema `app`, column by column as the files in `sql/reference` list them.
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
