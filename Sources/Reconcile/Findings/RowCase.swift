/// The input of the rules about rows: one stored row with Apple's side of its right, or an owed
/// right without a granted row. What nearly every rule asks for is found once.
final class RowCase: Sendable {
    let user: UserCase
    let row: StoredEntitlement?
    let right: Right
    let grantors: [Grantor]
    let best: Grantor?
    let owed: OwedRight?
    let isEntitled: Bool
    let isGranted: Bool
    let isGrantedByStore: Bool

    convenience init(_ row: StoredEntitlement, of user: UserCase) {
        let right = user.catalog.right(of: row.product)
        self.init(row, right, user.grantors(for: row, of: right), owed: nil, of: user)
    }

    /// - Parameter row: the row that should grant the right; nil without one.
    convenience init(_ owed: OwedRight, on row: StoredEntitlement?, of user: UserCase) {
        self.init(row, owed.right, owed.grantor.map { [$0] } ?? [], owed: owed, of: user)
    }

    private init(
        _ row: StoredEntitlement?, _ right: Right, _ grantors: [Grantor], owed: OwedRight?,
        of user: UserCase
    ) {
        self.user = user
        self.row = row
        self.right = right
        self.grantors = grantors
        self.owed = owed
        best = grantors.first
        isEntitled = grantors.first?.entitles ?? false
        isGranted = row.map(user.isGranted) ?? false
        isGrantedByStore = isGranted && row?.source == .appStore
    }

    var isGrantedForPaidApp: Bool { isGranted && row?.source == .legacyPaid && !isEntitled }
    var isGrantedWithoutGrantor: Bool { isGrantedByStore && best == nil }
    var isOwedByPurchase: Bool { owed.map { !$0.isForPaidApp } ?? false }
    var bothGrant: Bool { isGrantedByStore && isEntitled }

    var paidApp: Grandfathering.Ruling? { user.grandfathering.ruling(on: right) }
    var isPaidForGood: Bool { paidApp?.payment == .paid }

    /// The latest end of entitling grantors and renewals charged ahead; `distantFuture`: no end.
    var latestEnd: Instant {
        guard !isPaidForGood else { return .distantFuture }
        let ends = grantors.filter(\.entitles).map(\.lastInstant)
        return (ends + renewalsAhead.compactMap(\.expiresAt)).max() ?? .distantFuture
    }

    private var renewalsAhead: [Purchase] { grantors.flatMap(\.chargedAhead) }

    /// False where the row already has the product of a renewal charged ahead.
    var grantsOtherProduct: Bool {
        guard bothGrant, let row, let best, row.product != best.product else { return false }
        return !renewalsAhead.contains { $0.product == row.product }
    }

    /// Another granted `app_store` row with the best grantor's product, by the smallest id.
    var otherRowOfBest: StoredEntitlement? {
        guard let row, let best else { return nil }
        return user.evidence.entitlements.filter { other in
            other.id != row.id && other.source == .appStore && other.product == best.product
                && user.isGranted(other)
        }.min { $0.id < $1.id }
    }

    /// Nil unless both products are in one group and have a level. 1 is the highest.
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

/// A right to which the user is entitled, and its source.
struct OwedRight: Sendable {
    let right: Right
    let product: ProductID
    /// The best grantor. For a paid app it is nil or does not entitle.
    let grantor: Grantor?
    let isForPaidApp: Bool
}
