/// A line of `tie_out`: one product and measure, of one day or of all days.
package struct TieOutLine: Equatable, Sendable {
    struct Key: Hashable, Sendable {
        /// Nil: all days.
        var day: Instant?
        /// Nil where no app alone has the product.
        var bundle: BundleID?
        var product: ProductID
        var measure: UnitMeasure

        var ofAllDays: Key { Key(day: nil, bundle: bundle, product: product, measure: measure) }

        func next(_ days: Int64) -> Key? {
            day.map {
                var key = self
                key.day = $0.advanced(byMilliseconds: days * Instant.millisecondsPerDay)
                return key
            }
        }
    }

    struct Units: Equatable, Sendable {
        var apple = 0
        var ours = 0
        /// Ours that Apple may count in another way: trials of what is sold, and upgrades.
        var aside = 0

        var difference: Int { ours - apple }

        static func += (left: inout Units, right: Units) {
            left.apple += right.apple
            left.ours += right.ours
            left.aside += right.aside
        }
    }

    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        case tied
        /// Only of a day: tied with the day before, the day after or both.
        case shifted
        case appleHasMore = "apple_has_more"
        case oursHasMore = "ours_has_more"

        init(ofMore difference: Int) { self = difference > 0 ? .oursHasMore : .appleHasMore }
    }

    let key: Key
    let units: Units
    let verdict: Verdict

    /// Ours ÷ Apple's; nil without Apple's.
    var share: UnitShare? { UnitShare(of: units.ours, in: units.apple) }
}

extension TieOutLine.Key: Comparable {
    /// All days first; by UTF-8 bytes.
    static func < (left: Self, right: Self) -> Bool {
        if left.day != right.day { return left.day ?? .distantPast < right.day ?? .distantPast }
        let (own, other) = (left.bundle ?? "", right.bundle ?? "")
        if own != other { return own < other }
        if left.product != right.product { return left.product < right.product }
        return left.measure == .refunded && right.measure == .sold
    }
}
