internal import SQL

/// A table of the reference app that COPY fills in its text format: its columns, each with the text
/// that it takes from a row. By this one list the statement names the columns, and the rows are
/// written.
struct ReferenceTable<Row>: Sendable {
    let columns: [TextColumn<Row>]
    let statement: PostgresStatement

    /// - Parameter name: without the schema, which is `app`.
    init(_ name: String, _ columns: [TextColumn<Row>]) {
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
            TextColumn("bundle_id") { $0.bundle.text },
            TextColumn("last_paid_version") { $0.lastPaidVersion },
            TextColumn("paid_until") { $0.paidUntil?.timestamptz },
            TextColumn("premium_product_id") { $0.premiumProduct?.text },
        ])

    static let products = ReferenceTable<CatalogProduct>(
        "products",
        [
            TextColumn("product_id") { $0.id.text },
            TextColumn("kind") { $0.kind.rawValue },
            TextColumn("subscription_group_id") { $0.group?.text },
            TextColumn("service_level") { $0.serviceLevel.map { String($0) } },
            TextColumn("access_duration") { $0.accessDuration?.intervalText },
            TextColumn("billing_period") { $0.billingPeriod?.intervalText },
            TextColumn("list_price") { $0.listPrice },
            TextColumn("currency") { $0.currency },
        ])

    static let assets = ReferenceTable<ReferenceAsset>(
        "assets",
        [
            TextColumn("asset_id") { $0.id },
            TextColumn("remote_product_id") { $0.remoteProduct },
            TextColumn("product_key") { $0.productKey },
        ])

    static let productAssets = ReferenceTable<(asset: String, product: ProductID, tier: Int)>(
        "product_assets",
        [
            TextColumn("product_id") { $0.product.text },
            TextColumn("asset_id") { $0.asset },
            TextColumn("tier") { String($0.tier) },
        ])

    static let receipts = ReferenceTable<StoredReceipt>(
        "receipts",
        [
            TextColumn("receipt_id") { $0.id.text },
            TextColumn("user_id") { $0.user.text },
            TextColumn("bundle_id") { $0.bundle.text },
            TextColumn("receipt_data") { String(decoding: $0.data.text, as: UTF8.self) },
            TextColumn("stored_at") { $0.storedAt.timestamptz },
        ])

    static let entitlements = ReferenceTable<StoredEntitlement>(
        "entitlements",
        [
            TextColumn("entitlement_id") { $0.id.text },
            TextColumn("user_id") { $0.user.text },
            TextColumn("product_id") { $0.product.text },
            TextColumn("original_transaction_id") { $0.originalTransaction?.text },
            TextColumn("is_active") { $0.isActive ? "t" : "f" },
            TextColumn("expires_at") { $0.expiresAt?.timestamptz },
            TextColumn("auto_renew") { $0.autoRenew.map { $0 ? "t" : "f" } },
            TextColumn("ownership") { $0.ownership?.rawValue },
            TextColumn("source") { $0.source.text },
            TextColumn("updated_at") { $0.updatedAt.timestamptz },
        ])

    static let receiptProducts = ReferenceTable<(asset: String, key: StoredDownloadKey)>(
        "receipt_products",
        [
            TextColumn("receipt_id") { $0.key.receipt.text },
            TextColumn("product_id") { $0.key.product.text },
            TextColumn("asset_id") { $0.asset },
            TextColumn("remote_product_id") { $0.key.remoteProduct },
            TextColumn("is_unlocked") { _ in "t" },
            TextColumn("download_key") { $0.key.key },
            TextColumn("expires_at") { $0.key.expiresAt.timestamptz },
            TextColumn("key_id") { $0.key.key.map { _ in "simulated" } },
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
