/// Merges the transactions of several answers so that each purchase appears once.
struct PurchaseMerge {
    /// Sorted by id. Includes purchases after the instant of judgement.
    private(set) var purchases: [Purchase] = []

    /// - Parameter newestFirst: right-giving answers. A transaction is taken whole from the newest.
    init(of newestFirst: [VerifiedReceipt], kinds: ProductKinds, asOf: Instant) {
        let isOne = newestFirst.count == 1
        let shown = isOne ? newestFirst[0].purchases : newestFirst.flatMap(\.purchases)
        purchases = isOne ? shown : Self.firstOfEach(shown)
        leaveOutDoubledPeriods(shown, kinds)
        joinRestoredProducts(shown, kinds, asOf)
        if !purchases.isSortedByID { purchases.sort { $0.id < $1.id } }
    }

    private static func firstOfEach(_ shown: [Purchase]) -> [Purchase] {
        var seen: Set<TransactionID> = []
        return shown.filter { seen.insert($0.id).inserted }
    }

    // MARK: Paid periods

    private struct Period: Hashable {
        let chain: TransactionID
        let product: ProductID
        let lineItem: LineItemID
    }

    /// Apple shows some periods under two transaction ids. Keeps the one of `latest_receipt_info`
    /// in the newest answer; of several there, the greatest id.
    private mutating func leaveOutDoubledPeriods(_ shown: [Purchase], _ kinds: ProductKinds) {
        guard !shown.hasAscendingLineItems else { return }
        var known: [LineItemID: TransactionID] = [:]
        known.reserveCapacity(shown.count)
        var isDoubled = false
        for purchase in shown {
            guard let lineItem = purchase.lineItem else { continue }
            if let other = known.updateValue(purchase.id, forKey: lineItem) {
                isDoubled = isDoubled || other != purchase.id
            }
        }
        guard isDoubled else { return }
        let periods = Dictionary(
            grouping: shown.filter { $0.lineItem != nil && kinds.isPeriod($0) }
        ) { Period(chain: $0.originalID, product: $0.product, lineItem: $0.lineItem ?? "") }
        var leftOut: Set<TransactionID> = []
        for lines in periods.values {
            let ids = Set(lines.map(\.id))
            guard ids.count > 1, let counted = Self.counted(lines) else { continue }
            leftOut.formUnion(ids.subtracting([counted.id]))
        }
        purchases.removeAll { leftOut.contains($0.id) && kinds.isPeriod($0) }
    }

    /// - Parameter lines: transactions of one period, those of the newest answer first.
    private static func counted(_ lines: [Purchase]) -> Purchase? {
        let latest = lines.filter(\.isInLatest)
        let candidates = latest.isEmpty ? lines : latest
        return candidates.filter { $0.source === candidates[0].source }
            .max { $0.id.isNumericallyLess(than: $1.id) }
    }

    // MARK: Non-consumables

    private struct Product: Hashable {
        let product: ProductID
        let originalID: TransactionID
    }

    /// Restores of a non-consumable get new ids, so all transactions with one original id are one
    /// purchase. It is cancelled when one of them is, in the newest answer that has any.
    private mutating func joinRestoredProducts(
        _ shown: [Purchase], _ kinds: ProductKinds, _ asOf: Instant
    ) {
        let lines = shown.filter { kinds.isOwnedForGood($0) }.compactMap { $0.seen(asOf: asOf) }
        guard lines.count > 1 else { return }
        let products = Dictionary(grouping: lines) {
            Product(product: $0.product, originalID: $0.originalID)
        }
        guard products.count < lines.count else { return }
        purchases.removeAll { kinds.isOwnedForGood($0) }
        for lines in products.values {
            let newest = lines.filter { $0.source === lines[0].source }
            let cancelled = newest.filter(\.isCancelled)
            purchases.append(
                cancelled.max { $0.isCancelledBefore($1) }
                    ?? newest.max { $0.isBoughtBefore($1) } ?? lines[0])
        }
    }
}

extension [Purchase] {
    /// Whether each has a greater line item than the one before it, or each a smaller one, as in
    /// nearly all answers. Then no line item is there twice.
    fileprivate var hasAscendingLineItems: Bool {
        guard count > 1 else { return true }
        guard let first = self[0].lineItem, let second = self[1].lineItem else { return false }
        let isAscending = first < second
        return indices.dropFirst().allSatisfy { index in
            guard let former = self[index - 1].lineItem, let next = self[index].lineItem else {
                return false
            }
            return isAscending ? former < next : next < former
        }
    }

    fileprivate var isSortedByID: Bool {
        indices.dropFirst().allSatisfy { self[$0 - 1].id < self[$0].id }
    }
}

extension Purchase {
    func isBoughtBefore(_ other: Purchase) -> Bool {
        purchasedAt == other.purchasedAt
            ? id.isNumericallyLess(than: other.id) : purchasedAt < other.purchasedAt
    }

    /// By cancellation date, then by id; uncancelled purchases first.
    func isCancelledBefore(_ other: Purchase) -> Bool {
        let own = cancelledAt ?? .distantPast
        let others = other.cancelledAt ?? .distantPast
        return own == others ? id.isNumericallyLess(than: other.id) : own < others
    }
}
