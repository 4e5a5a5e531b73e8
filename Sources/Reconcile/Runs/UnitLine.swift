/// What Apple sold and took back on one day in California, of one product of one app: a row of
/// `units`.
package struct UnitLine: Hashable, Sendable {
    /// The date, as midnight in UTC.
    var day: Instant
    var bundle: BundleID
    var product: ProductID
    var counts: UnitCounts
    /// The users whose answers show one of those counted.
    var customers: Int
}

/// Units, each counted by quantity.
package struct UnitCounts: Hashable, Sendable {
    /// Bought, whether cancelled since or not.
    var sold = 0
    /// Those of them that were free trials.
    var trials = 0
    /// Cancelled and not upgraded.
    var refunded = 0
    /// Cancelled and upgraded.
    var upgraded = 0

    static func += (sum: inout UnitCounts, other: UnitCounts) {
        sum.sold += other.sold
        sum.trials += other.trials
        sum.refunded += other.refunded
        sum.upgraded += other.upgraded
    }
}
