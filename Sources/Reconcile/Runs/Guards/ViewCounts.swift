/// Users, receipts and stored entitlements, counted.
package struct ViewCounts: Hashable, Sendable {
    /// Users with a receipt or an entitlement.
    package var users: Int
    /// Includes receipts without a user; likewise the entitlements.
    package var receipts: Int
    package var entitlements: Int

    var inWords: String {
        "\(users.grouped) users, \(receipts.grouped) receipts, \(entitlements.grouped) entitlements"
    }

    static let zero = ViewCounts(users: 0, receipts: 0, entitlements: 0)

    static func += (sum: inout ViewCounts, counts: ViewCounts) {
        sum.users += counts.users
        sum.receipts += counts.receipts
        sum.entitlements += counts.entitlements
    }
}
