/// A run over everything in the numbers that later runs are compared with.
package struct RunFigures: Hashable, Sendable {
    /// Raw values are the column `name`.
    package enum Name: String, Sendable {
        case receipts, entitlements, unusable
        case notJudged = "not_judged"
        case appStoreRows = "app_store_rows"
        /// The newest `stored_at` or `updated_at`, in milliseconds since 1970.
        case newestChange = "newest_change"
        /// By bundle.
        case receiptsOfBundle = "receipts_of_bundle"
        /// Findings by kind.
        case findings
        /// Money by bucket and currency (`leak USD`), and how many rows it stands on.
        case amount
        case rowsWithAmount = "rows_with_amount"
    }

    private var values: [Name: [String: Double]] = [:]

    package init() {}

    /// - Parameter subject: what the figure is of; empty for the whole run.
    package mutating func set(_ name: Name, of subject: String = "", to value: Double) {
        values[name, default: [:]][subject] = value
    }

    /// Zero where there is none.
    func value(_ name: Name, of subject: String = "") -> Double { values[name]?[subject] ?? 0 }

    /// By subject, in the order of the subjects.
    func all(_ name: Name) -> [(subject: String, value: Double)] {
        (values[name] ?? [:]).sorted { $0.key.bytesPrecede($1.key) }
            .map { (subject: $0.key, value: $0.value) }
    }
}
