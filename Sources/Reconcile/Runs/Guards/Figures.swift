package struct Figures: Hashable, Sendable {
    /// Raw values are the column `name`.
    enum Name: String, Sendable {
        case receipts, entitlements, unusable
        case notJudged = "not_judged"
        case appStoreRows = "app_store_rows"
        /// The newest `stored_at` or `updated_at`, in milliseconds since 1970.
        case newestChange = "newest_change"
        case receiptsOfBundle = "receipts_of_bundle"
        case findings
        /// Money by bucket and currency (`leak USD`), and the number of rows with an amount.
        case amount
        case rowsWithAmount = "rows_with_amount"
    }

    private var values: [Name: [String: Double]] = [:]

    /// - Parameter subject: a bundle, a kind, or a bucket and currency; empty for the whole run.
    mutating func set(_ name: Name, of subject: String = "", to value: Double) {
        values[name, default: [:]][subject] = value
    }

    func value(_ name: Name, of subject: String = "") -> Double { values[name]?[subject] ?? 0 }

    /// Sorted by subject, as UTF-8 bytes.
    func all(_ name: Name) -> [(subject: String, value: Double)] {
        (values[name] ?? [:]).sorted { $0.key.bytesPrecede($1.key) }
            .map { (subject: $0.key, value: $0.value) }
    }
}
