/// What Apple's answers entitle the user to and no granted row covers (SPEC §5).
extension UserCase {
    /// Rights that a purchase gives, and those that only the original version of the app gives. For
    /// a product outside the catalogue nothing is owed: `unknown_product` stands for it.
    var owedRights: [OwedRight] {
        let covered = coveredRights
        var owed: [OwedRight] = []
        for right in Set(grantors.map { catalog.right(of: $0.product) }).subtracting(covered) {
            guard let best = bestGrantor(of: right), best.entitles, catalog.has(best.product)
            else { continue }
            owed.append(
                OwedRight(right: right, product: best.product, grantor: best, isForPaidApp: false))
        }
        for (right, ruling) in grandfathering.paid
        where !covered.contains(right) && catalog.has(ruling.premium) {
            let best = bestGrantor(of: right)
            guard best?.entitles != true else { continue }
            owed.append(
                OwedRight(
                    right: right, product: ruling.premium, grantor: best, isForPaidApp: true))
        }
        return owed
    }

    /// A right is covered by a granted row of any source that is of it, or whose best grantor is
    /// one of its grantors (SPEC §4.4).
    private var coveredRights: Set<Right> {
        var covered: Set<Right> = []
        for row in evidence.entitlements where isGranted(row) {
            covered.insert(catalog.right(of: row.product))
            if let best = grantors(for: row).first {
                covered.insert(catalog.right(of: best.product))
            }
        }
        return covered
    }

    /// The judged rows of a right.
    func judgedRows(of right: Right) -> [StoredEntitlement] {
        evidence.entitlements.filter { row in
            catalog.right(of: row.product) == right && obstacle(to: row) == nil
        }
    }

    /// The row that should grant a right; nil: there is none. Of several the one that names the
    /// chain, else the product, else the one updated last, else the one with the smallest id.
    func row(for owed: OwedRight) -> StoredEntitlement? {
        let rows = judgedRows(of: owed.right).filter {
            owed.isForPaidApp || $0.source == .appStore
        }
        return rows.min { left, right in
            let own = owed.misses(by: left)
            let other = owed.misses(by: right)
            guard own == other else { return own < other }
            guard left.updatedAt == right.updatedAt else { return left.updatedAt > right.updatedAt }
            return left.id < right.id
        }
    }

    /// Why a stored row cannot be judged; nil: it can be. Rows of the App Store are judged by what
    /// Apple shows of their product; those of an app that was paid for only where an answer speaks
    /// of it; others never.
    func obstacle(to row: StoredEntitlement) -> NotReported.Cause? {
        switch row.source {
        case .appStore: kinds.obstacle(to: row.product)
        case .legacyPaid:
            grandfathering.ruling(on: catalog.right(of: row.product)) == nil
                ? .noReceiptOfApp : nil
        case .other: .source
        }
    }
}

extension ProductKinds {
    /// Why a stored row of `product` cannot be judged; nil: it can be.
    func obstacle(to product: ProductID) -> NotReported.Cause? {
        switch kind(of: product) {
        case .autoRenewable, .nonConsumable: nil
        case .nonRenewing:
            catalog.products[product]?.accessDuration == nil ? .accessDurationUnknown : nil
        case .consumable: .consumable
        case nil: .productUnknown
        }
    }
}

extension OwedRight {
    /// How badly a row names what gives the right: 2 for another chain, 1 for another product.
    fileprivate func misses(by row: StoredEntitlement) -> Int {
        let isNamed =
            !isForPaidApp && grantor != nil && row.originalTransaction == grantor?.originalID
        return (isNamed ? 0 : 2) + (row.product == product ? 0 : 1)
    }
}
