/// Every chain and product of a user that gives or gave a right.
struct Grantors: Sendable {
    let all: [Grantor]

    init(of purchases: Purchases, kinds: ProductKinds, asOf: Instant) {
        var chains: [TransactionID: [Purchase]] = [:]
        var products: [ProductID: [Purchase]] = [:]
        for run in purchases.runs {
            guard let first = run.first else { continue }
            let kind = kinds.kind(of: first.product)
            if kind == .autoRenewable {
                let periods = run.allSatisfy(\.hasEnd) ? run : run.filter(\.hasEnd)[...]
                if !periods.isEmpty { chains[first.originalID, default: []] += periods }
            } else if kind == .nonConsumable || kind == .nonRenewing {
                products[first.product, default: []] += run
            }
        }
        let upcoming = Dictionary(grouping: purchases.upcoming, by: \.originalID)
        let subscriptions = chains.compactMap { chain, periods in
            Self.subscription(
                Subscription(
                    transactions: periods, upcoming: upcoming[chain] ?? [],
                    renewal: purchases.renewals[chain]),
                kinds.catalog, asOf)
        }
        let others = products.compactMap { product, list in
            Self.oneTime(product, list, kinds, asOf)
        }
        all = subscriptions + others
    }

    private static func subscription(
        _ subscription: Subscription, _ catalog: Catalog, _ asOf: Instant
    ) -> Grantor? {
        guard let access = subscription.access(asOf: asOf) else { return nil }
        let right = catalog.right(of: access.covering.product)
        var others: [Right] = []
        var last = access.covering.product
        for transaction in subscription.transactions where transaction.product != last {
            last = transaction.product
            let other = catalog.right(of: last)
            if other != right, !others.contains(other) { others.append(other) }
        }
        return Grantor(
            access, kind: .autoRenewable, renewal: subscription.renewal,
            chargedAhead: subscription.chargedAhead(asOf: asOf), right: right,
            otherRights: others, originalIDs: [access.covering.originalID])
    }

    private static func oneTime(
        _ product: ProductID, _ list: [Purchase], _ kinds: ProductKinds, _ asOf: Instant
    ) -> Grantor? {
        let purchases = OneTimeProduct(purchases: list)
        let access: ProductAccess?
        if kinds.kind(of: product) == .nonConsumable {
            access = purchases.ownership()
        } else if let duration = kinds.catalog.products[product]?.accessDuration {
            access = purchases.pass(lasting: duration, asOf: asOf)
        } else {
            access = nil
        }
        guard let access, let kind = kinds.kind(of: product) else { return nil }
        return Grantor(
            access, kind: kind, right: kinds.catalog.right(of: product),
            originalIDs: Set(list.map(\.originalID)))
    }
}
