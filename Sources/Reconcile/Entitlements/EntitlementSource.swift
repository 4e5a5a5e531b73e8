/// The column `source`, which decides how a row is judged.
package enum EntitlementSource: Hashable, Sendable {
    case appStore
    case legacyPaid
    /// Not judged, for example a promotion; it still covers a right.
    case other(String)

    package init(_ text: String) {
        switch text {
        case "app_store": self = .appStore
        case "legacy_paid": self = .legacyPaid
        default: self = .other(text)
        }
    }

    var name: String {
        switch self {
        case .appStore: "app_store"
        case .legacyPaid: "legacy_paid"
        case .other(let text): text
        }
    }
}
