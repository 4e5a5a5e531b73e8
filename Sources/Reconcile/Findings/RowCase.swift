/// One stored row beside what Apple shows of its right; or a right that Apple's answers give and no
/// row grants. This is what the rules of SPEC §5's first table read.
struct RowCase {
    let user: UserCase
    /// Nil for a right that no judged row is about.
    let row: StoredEntitlement?
    let right: Right
    /// The best first. Of a right that is owed only the one that gives it.
    let grantors: [Grantor]
    /// The right is due, and no granted row covers it.
    let owed: OwedRight?

    init(_ row: StoredEntitlement, of user: UserCase) {
        self.user = user
        self.row = row
        right = user.catalog.right(of: row.product)
        grantors = user.grantors(for: row)
        owed = nil
    }

    /// - Parameter row: the one that should grant it; nil: there is none.
    init(_ owed: OwedRight, on row: StoredEntitlement?, of user: UserCase) {
        self.user = user
        self.row = row
        right = owed.right
        grantors = owed.grantor.map { [$0] } ?? []
        self.owed = owed
    }

    var best: Grantor? { grantors.first }
    var isEntitled: Bool { best?.entitles ?? false }

    var isGranted: Bool { row.map(user.isGranted) ?? false }
    private func isGranted(by source: EntitlementSource) -> Bool {
        isGranted && row?.source == source
    }
    /// A granted row of the App Store.
    var isGrantedByStore: Bool { isGranted(by: .appStore) }
    /// A granted `legacy_paid` row, whose right no purchase gives.
    var isGrantedForPaidApp: Bool { isGranted(by: .legacyPaid) && !isEntitled }
    /// Nothing of Apple's, past or present, gives the right of a granted row.
    var isGrantedWithoutGrantor: Bool { isGrantedByStore && best == nil }
    /// A purchase gives the right, and no granted row covers it.
    var isOwedByPurchase: Bool { owed.map { !$0.isForPaidApp } ?? false }
    /// The row grants, and Apple does.
    var bothGrant: Bool { isGrantedByStore && isEntitled }

    /// What the receipts say of the app that the right once came with.
    var paidApp: Grandfathering.Ruling? { user.grandfathering.ruling(on: right) }
    var isPaidForGood: Bool { paidApp?.verdict == .paid }

    /// The latest end of the right: of its entitling grantors, and of renewals charged ahead. No
    /// end is the latest.
    var latestEnd: Instant {
        guard !isPaidForGood else { return .distantFuture }
        let ends = grantors.filter(\.entitles).map(\.lastInstant)
        return (ends + renewalsAhead.compactMap(\.expiresAt)).max() ?? .distantFuture
    }

    /// Of all grantors of the row.
    private var renewalsAhead: [Purchase] { grantors.flatMap(\.chargedAhead) }

    /// Whether both grant, but not the same product; and the row's is not that of a renewal that is
    /// charged already.
    var grantsOtherProduct: Bool {
        guard bothGrant, let row, let best, row.product != best.product else { return false }
        return !renewalsAhead.contains { $0.product == row.product }
    }

    /// Another row of the App Store that grants the best grantor's product; of several the one with
    /// the smallest id.
    var otherRowOfBest: StoredEntitlement? {
        guard let row, let best else { return nil }
        return user.evidence.entitlements.filter { other in
            other.id != row.id && other.source == .appStore && other.product == best.product
                && user.isGranted(other)
        }.min { $0.id < $1.id }
    }

    /// The service levels of what the row grants and of what was bought, where both products are of
    /// one group.
    var levels: (granted: Int, bought: Int)? {
        guard let row, let best else { return nil }
        let stored = user.catalog.products[row.product]
        let bought = user.catalog.products[best.product]
        guard let group = stored?.group, group == bought?.group,
            let own = stored?.serviceLevel, let others = bought?.serviceLevel
        else { return nil }
        return (own, others)
    }
}

/// A right that is due, and by what.
struct OwedRight {
    let right: Right
    /// The product that gives it.
    let product: ProductID
    /// The best grantor. One that is over, or nil, where only the original version of the app gives
    /// the right.
    let grantor: Grantor?
    /// Whether the user paid for the app before it became free, and nothing else gives the right.
    let isForPaidApp: Bool
}
