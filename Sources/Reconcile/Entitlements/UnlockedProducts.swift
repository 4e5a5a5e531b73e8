/// The products that the answers to one receipt unlock at an instant: those that they entitle to,
/// uncancelled consumables, and the premium product; only products of the catalogue.
struct UnlockedProducts: Sendable {
    struct Product: Equatable, Sendable {
        let id: ProductID
        /// Nil: without an end.
        let endsAt: Instant?
        /// References of later refunds of its purchases; empty for a paid app's premium product.
        let refundReferences: [String]
    }

    let products: [Product]
    /// Products of the answer that are not in the catalogue, sorted by id.
    let unknown: [ProductID]
    let refundReferences: [String]

    /// - Parameters:
    ///   - answers: one of the sandbox unlocks products, too.
    ///   - own: the transactions that the receipt itself names. An answer about its customer shows
    ///     all of the customer's consumables, also those that were used up long ago.
    init(
        by answers: [VerifiedReceipt], to own: Set<TransactionID>, catalog: Catalog,
        at instant: Instant
    ) {
        let kinds = ProductKinds(catalog: catalog, seenExpiring: [])
        let purchases = Purchases(in: answers, asOf: instant, kinds: kinds)
        let standing = purchases.all.filter { !$0.isCancelled }
        func references(to purchases: [Purchase]) -> [String] {
            Set(purchases.map(kinds.refundReference)).sorted { $0.bytesPrecede($1) }
        }
        var unlocked: [ProductID: Product] = [:]
        func unlock(_ product: ProductID, until end: Instant?, by purchases: [Purchase]) {
            let found = Product(
                id: product, endsAt: end, refundReferences: references(to: purchases))
            if let known = unlocked[product], !known.ends(before: found) { return }
            unlocked[product] = found
        }
        for grantor in Grantors(of: purchases, kinds: kinds, asOf: instant).all
        where grantor.entitles {
            let own = standing.filter { $0.product == grantor.product }
            unlock(
                grantor.product, until: grantor.endsAt,
                by: grantor.kind == .autoRenewable ? [grantor.covering] : own)
        }
        let about = Set(
            answers.filter { $0.proof != .serverAPI }.flatMap { $0.receipt.transactions.map(\.id) })
        let fresh = standing.filter { purchase in
            kinds.kind(of: purchase.product) == .consumable
                && (own.contains(purchase.id) || about.contains(purchase.id))
        }
        for purchase in fresh {
            unlock(
                purchase.product, until: nil, by: fresh.filter { $0.product == purchase.product })
        }
        for paid in Grandfathering(receipts: answers, catalog: catalog).paid {
            unlock(paid.ruling.premium, until: nil, by: [])
        }
        products = unlocked.values.filter { catalog.has($0.id) }.sorted { $0.id < $1.id }
        let shown = Set(answers.flatMap { $0.receipt.transactions.map(\.product) })
            .union(unlocked.keys)
        unknown = shown.filter { !catalog.has($0) }.sorted()
        refundReferences = references(to: standing + purchases.upcoming.filter { !$0.isCancelled })
    }

    var earliestEnd: Instant? { products.compactMap(\.endsAt).min() }
}

extension UnlockedProducts.Product {
    /// Nil counts as the latest end.
    fileprivate func ends(before other: Self) -> Bool {
        guard let own = endsAt else { return false }
        return other.endsAt.map { own < $0 } ?? true
    }
}

extension ProductKinds {
    /// The same in every run: the paid period, or the first transaction of a non-consumable
    /// (restores get new ids), else the transaction.
    func refundReference(of purchase: Purchase) -> String {
        if let lineItem = purchase.lineItem { return lineItem.text }
        return isOwnedForGood(purchase) ? purchase.originalID.text : purchase.id.text
    }
}
