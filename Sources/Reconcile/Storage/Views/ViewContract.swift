internal import SQL

/// The required columns of one of the team's views.
struct ViewContract: Sendable {
    struct Column: Sendable {
        let name: StaticString
        let type: ColumnType
    }

    let name: String
    let columns: [Column]
    /// Whether the team may omit the view.
    let isOptional: Bool
    /// Finds ids in several rows. Nil where rows need no identity.
    let duplicate: Statement?

    static let all = [
        ViewContract(
            "stored_receipts",
            [
                ("receipt_id", .text), ("user_id", .text), ("bundle_id", .text),
                ("receipt_data", .text), ("stored_at", .timestamptz),
            ], duplicate: SQL.findDuplicateReceipt),
        ViewContract(
            "stored_entitlements",
            [
                ("entitlement_id", .text), ("user_id", .text), ("product_id", .text),
                ("original_transaction_id", .text), ("is_active", .boolean),
                ("expires_at", .timestamptz), ("auto_renew", .boolean), ("ownership", .text),
                ("source", .text), ("updated_at", .timestamptz),
            ], duplicate: SQL.findDuplicateEntitlement),
        ViewContract(
            "catalog_products",
            [
                ("product_id", .text), ("kind", .text), ("subscription_group_id", .text),
                ("service_level", .integer), ("access_duration", .interval),
                ("billing_period", .interval), ("list_price", .numeric), ("currency", .text),
            ], duplicate: SQL.findDuplicateProduct),
        ViewContract(
            "catalog_apps",
            [
                ("bundle_id", .text), ("last_paid_version", .text), ("paid_until", .timestamptz),
                ("premium_product_id", .text),
            ], isOptional: true, duplicate: SQL.findDuplicateApp),
        ViewContract(
            "stored_download_keys",
            [
                ("receipt_id", .text), ("product_id", .text), ("remote_product_id", .text),
                ("download_key", .text), ("expires_at", .timestamptz),
            ], isOptional: true, duplicate: nil),
    ]

    private init(
        _ name: String, _ columns: [(StaticString, ColumnType)], isOptional: Bool = false,
        duplicate: Statement?
    ) {
        self.isOptional = isOptional
        self.name = name
        self.columns = columns.map(Column.init)
        self.duplicate = duplicate
    }

    /// The problem of an id that several rows have.
    static func repeated(_ id: String, _ column: String, in view: String) -> String {
        "reconcile.\(view) holds the \(column) “\(id)” more than once. Return one row for it."
    }
}
