extension UserCase {
    /// Rights that the user is entitled to and no granted row covers. Nothing is owed for a product
    /// outside the catalogue: `unknown_product` is reported instead.
    ///
    /// - Parameter rows: the cases of the user's rows.
    func owedRights(beside rows: [RowCase]) -> [OwedRight] {
        let covered = rows.coveredRights
        var owed: [OwedRight] = []
        for right in Set(grantors.lazy.map(\.right).filter { !covered.contains($0) }) {
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

    func judgedRows(of right: Right) -> [StoredEntitlement] {
        evidence.entitlements.filter { row in
            catalog.right(of: row.product) == right && causeNotJudged(row) == nil
        }
    }

    /// The judged row that should grant the right; nil without one. Prefers the row that names the
    /// chain, then the product, then the latest update, then the smallest id.
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

    /// Why a row cannot be judged; nil when it can. `app_store` rows need a known kind of product,
    /// `legacy_paid` rows an answer about the app; other sources are never judged.
    func causeNotJudged(_ row: StoredEntitlement) -> NotReported.Cause? {
        switch row.source {
        case .appStore: kinds.causeNotJudged(row.product)
        case .legacyPaid:
            grandfathering.ruling(on: catalog.right(of: row.product)) == nil
                ? .noReceiptOfApp : nil
        case .other: .source
        }
    }
}

extension [RowCase] {
    /// The rights of the granted rows of any source, and of their best grantors.
    fileprivate var coveredRights: Set<Right> {
        var covered: Set<Right> = []
        for row in self where row.isGranted {
            covered.insert(row.right)
            if let best = row.best, best.right != row.right { covered.insert(best.right) }
        }
        return covered
    }
}

extension ProductKinds {
    /// Why rows of a product cannot be judged; nil when they can.
    func causeNotJudged(_ product: ProductID) -> NotReported.Cause? {
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
    /// How badly a row matches: plus 2 for another chain, plus 1 for another product.
    fileprivate func misses(by row: StoredEntitlement) -> Int {
        let isNamed =
            !isForPaidApp && grantor != nil && row.originalTransaction == grantor?.originalID
        return (isNamed ? 0 : 2) + (row.product == product ? 0 : 1)
    }
}
