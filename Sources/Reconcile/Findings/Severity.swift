/// How soon an operator should look. The most severe comes first.
package enum Severity: String, Hashable, Sendable, CaseIterable {
    case critical, high, medium, low, info

    /// 0 for `critical`; the order of rows in a report.
    package var rank: Int {
        switch self {
        case .critical: 0
        case .high: 1
        case .medium: 2
        case .low: 3
        case .info: 4
        }
    }
}

/// Who loses: the business by a `leak`, the customer by what is `owed`, neither by `none`.
enum Direction: String, Hashable, Sendable {
    case leak, owed, none
}

/// The report that contains a finding. Raw values are file names without extension.
package enum FindingFile: String, Hashable, Sendable, CaseIterable {
    case expirations, refunds, mismatches, receipts
}

enum ProposedAction: String, Hashable, Sendable {
    case revoke, restore, extend, shorten
    case changeProduct = "change_product"
    case relabel
    case refreshReceipt = "refresh_receipt"
    case investigate, none
}
