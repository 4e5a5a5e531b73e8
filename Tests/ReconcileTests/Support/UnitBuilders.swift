@testable import Reconcile
@testable import TestSupport

/// Units that a user's answers show: `.sold(7, at: -5)`, five days before `Instant.asOf`.
extension UnitSighting {
    static func sold(
        _ purchase: Int64, at day: Double, _ quantity: Int = 1, product: ProductID = "coins",
        bundle: BundleID = "acme"
    ) -> UnitSighting {
        .seen(.sold, purchase, at: day, quantity, product, bundle)
    }

    static func trial(_ purchase: Int64, at day: Double) -> UnitSighting {
        .seen(.soldAsTrial, purchase, at: day)
    }

    static func refunded(
        _ purchase: Int64, at day: Double, _ quantity: Int = 1, bundle: BundleID = "acme"
    ) -> UnitSighting {
        .seen(.refunded, purchase, at: day, quantity, "coins", bundle)
    }

    static func upgraded(_ purchase: Int64, at day: Double) -> UnitSighting {
        .seen(.upgraded, purchase, at: day)
    }

    static func seen(
        _ kind: Kind, _ purchase: Int64, at day: Double, _ quantity: Int = 1,
        _ product: ProductID = "coins", _ bundle: BundleID = "acme"
    ) -> UnitSighting {
        UnitSighting(
            bundle: bundle, product: product, kind: kind, quantity: quantity, at: .day(day),
            purchase: purchase)
    }
}

extension UnitLine {
    static func of(
        _ day: String, product: ProductID = "coins", bundle: BundleID = "acme", sold: Int = 0,
        trials: Int = 0, refunded: Int = 0, upgraded: Int = 0, customers: Int = 1
    ) -> UnitLine {
        UnitLine(
            day: Instant(rfc3339: day + "T00:00:00Z") ?? .distantPast, bundle: bundle,
            product: product,
            counts: UnitCounts(
                sold: sold, trials: trials, refunded: refunded, upgraded: upgraded),
            customers: customers)
    }
}
