/// A purchase or a cancellation, as one user's answers show it. Whoever shows it, it counts once,
/// which is decided at the end of the run.
struct UnitSighting: Hashable, Sendable {
    /// Raw values are those of `reconcile.unit_sighting`.
    enum Kind: Int, Sendable {
        case sold = 0
        case soldAsTrial = 1
        case refunded = 2
        case upgraded = 3
    }

    let bundle: BundleID
    let product: ProductID
    let kind: Kind
    let quantity: Int
    let at: Instant
    /// By what the purchase is known, as a refund is. A number itself, of another text a hash.
    let purchase: Int64
}

extension UserCase {
    /// Those of the days that the run counts, and of non-consumables all: whether one was restored,
    /// and not sold, another user's older answer may tell. Excludes family shares.
    var unitSightings: [UnitSighting] {
        guard let start = settings.units?.recordedSince else { return [] }
        var sightings: [UnitSighting] = []
        var hasOwned = false
        for purchase in purchases.all {
            let isOwned = kinds.isOwnedForGood(purchase)
            if isOwned {
                hasOwned = true
            } else if purchase.purchasedAt >= start, !purchase.isOfFamily {
                sightings.append(sale(of: purchase, at: purchase.purchasedAt))
            }
            if let at = purchase.cancelledAt, at >= start || isOwned, !purchase.isOfFamily {
                let kind: UnitSighting.Kind = purchase.isUpgraded ? .upgraded : .refunded
                sightings.append(UnitSighting(purchase, kind, at: at, kinds))
            }
        }
        return hasOwned ? sightings + salesOfOwned : sightings
    }

    /// Non-consumables, each sold when the earliest of its lines in any answer says: a restore,
    /// which has a line of its own, is no sale.
    private var salesOfOwned: [UnitSighting] {
        let answers = Purchases.newestFirst(verified.filter(\.isRightGiving))
        let lines = answers.flatMap { $0.purchases(seenAsOf: settings.asOf) }
            .filter { kinds.isOwnedForGood($0) && !$0.isOfFamily }
        return Dictionary(grouping: lines, by: \.originalID).values.compactMap { lines in
            let instants = lines.flatMap { line in
                [line.purchasedAt, line.originallyPurchasedAt ?? line.purchasedAt]
            }
            guard let newest = lines.first, let at = instants.min() else { return nil }
            return sale(of: newest, at: at)
        }
    }

    private func sale(of purchase: Purchase, at instant: Instant) -> UnitSighting {
        UnitSighting(purchase, purchase.isTrial ? .soldAsTrial : .sold, at: instant, kinds)
    }
}

extension UnitSighting {
    fileprivate init(
        _ purchase: Purchase, _ kind: Kind, at instant: Instant, _ kinds: ProductKinds
    ) {
        bundle = purchase.source.receipt.bundle
        product = purchase.product
        self.kind = kind
        quantity = purchase.quantity
        at = instant
        self.purchase = Self.number(of: kinds.refundReference(of: purchase))
    }

    private static func number(of reference: String) -> Int64 {
        var reference = reference
        let digits = reference.withUTF8 { DigitText($0) }
        return digits.map { Int64(truncatingIfNeeded: $0.value) }
            ?? Digest.sha256(Array(reference.utf8)).leading
    }
}
