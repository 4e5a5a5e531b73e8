internal import SQL

/// A table of the reference app that COPY fills in its text format: its columns, each with the text
/// that it takes from a row. By this one list the statement names the columns, and the rows are
/// written.
struct ReferenceTable<Row>: Sendable {
    typealias Column = (name: String, text: @Sendable (Row) -> String?)

    let columns: [Column]
    let statement: PostgresStatement

    /// - Parameter name: without the schema, which is `app`.
    init(_ name: String, _ columns: [Column]) {
        self.columns = columns
        statement = SQL.copyReferenceRows.filling(name, columns.map(\.name))
    }

    func buffer(_ rows: some Sequence<Row>) -> CopyBuffer {
        var buffer = CopyBuffer()
        for row in rows {
            for column in columns { buffer.append(column.text(row)) }
            buffer.endRow()
        }
        return buffer
    }
}

extension PostgresConnection {
    func copyIn<Row>(
        _ rows: some Sequence<Row>, to table: ReferenceTable<Row>
    ) throws(PostgresError) {
        try copyIn(table.statement, table.buffer(rows))
    }
}

enum ReferenceTables {
    static let apps = ReferenceTable<CatalogApp>(
        "apps",
        [
            ("bundle_id", { $0.bundle.text }),
            ("last_paid_version", { $0.lastPaidVersion }),
            ("paid_until", { $0.paidUntil?.timestamptz }),
            ("premium_product_id", { $0.premiumProduct?.text }),
        ])

    static let products = ReferenceTable<CatalogProduct>(
        "products",
        [
            ("product_id", { $0.id.text }),
            ("kind", { $0.kind.rawValue }),
            ("subscription_group_id", { $0.group?.text }),
            ("service_level", { $0.serviceLevel.map { String($0) } }),
            ("access_duration", { $0.accessDuration?.intervalText }),
            ("billing_period", { $0.billingPeriod?.intervalText }),
            ("list_price", { $0.listPrice }),
            ("currency", { $0.currency }),
        ])

    static let assets = ReferenceTable<ReferenceAsset>(
        "assets",
        [
            ("asset_id", { $0.id }),
            ("remote_product_id", { $0.remoteProduct }),
            ("product_key", { $0.productKey }),
        ])

    static let productAssets = ReferenceTable<(asset: String, product: ProductID, tier: Int)>(
        "product_assets",
        [
            ("product_id", { $0.product.text }),
            ("asset_id", { $0.asset }),
            ("tier", { String($0.tier) }),
        ])

    static let receipts = ReferenceTable<StoredReceipt>(
        "receipts",
        [
            ("receipt_id", { $0.id.text }),
            ("user_id", { $0.user.text }),
            ("bundle_id", { $0.bundle.text }),
            ("receipt_data", { String(decoding: $0.data.text, as: UTF8.self) }),
            ("stored_at", { $0.storedAt.timestamptz }),
        ])

    static let entitlements = ReferenceTable<StoredEntitlement>(
        "entitlements",
        [
            ("entitlement_id", { $0.id.text }),
            ("user_id", { $0.user.text }),
            ("product_id", { $0.product.text }),
            ("original_transaction_id", { $0.originalTransaction?.text }),
            ("is_active", { $0.isActive ? "t" : "f" }),
            ("expires_at", { $0.expiresAt?.timestamptz }),
            ("auto_renew", { $0.autoRenew.map { $0 ? "t" : "f" } }),
            ("ownership", { $0.ownership?.rawValue }),
            ("source", { $0.source.text }),
            ("updated_at", { $0.updatedAt.timestamptz }),
        ])

    static let receiptProducts = ReferenceTable<(asset: String, key: StoredDownloadKey)>(
        "receipt_products",
        [
            ("receipt_id", { $0.key.receipt.text }),
            ("product_id", { $0.key.product.text }),
            ("asset_id", { $0.asset }),
            ("remote_product_id", { $0.key.remoteProduct }),
            ("is_unlocked", { _ in "t" }),
            ("download_key", { $0.key.key }),
            ("expires_at", { $0.key.expiresAt.timestamptz }),
            ("key_id", { $0.key.key.map { _ in "simulated" } }),
        ])
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
