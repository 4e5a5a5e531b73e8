/// From what Apple shows to what the customer is entitled to (SPEC §4).
struct EntitlementRules: Sendable {
    let catalog: Catalog
    /// Products for which some verified answer of the user, of any environment and app, shows an
    /// expiry: how a product that is not in the catalogue is known for a subscription.
    let productsSeenExpiring: Set<ProductID>
    /// What the user's receipts say, signed by Apple, of other products that are not in the
    /// catalogue. None is a subscription.
    var signedKinds: [ProductID: ProductKind] = [:]

    /// The catalogue's kind; else `autoRenewable` for a product that was seen expiring; else what
    /// a signed receipt says. Nil: unknown.
    func kind(of product: ProductID) -> ProductKind? {
        if let kind = catalog.products[product]?.kind { return kind }
        return productsSeenExpiring.contains(product) ? .autoRenewable : signedKinds[product]
    }

    /// Whether a stored row of `product` can be judged: not a consumable, not an unknown product,
    /// not a non-renewing product whose duration nobody stated.
    func isJudged(_ product: ProductID) -> Bool {
        switch kind(of: product) {
        case .autoRenewable, .nonConsumable: true
        case .nonRenewing: catalog.products[product]?.accessDuration != nil
        case .consumable, nil: false
        }
    }

    /// Every chain and product of the user that gives a right, or once gave it.
    func grantors(of purchases: Purchases, asOf: Instant) -> [Grantor] {
        var chains: [TransactionID: [Purchase]] = [:]
        var products: [ProductID: [Purchase]] = [:]
        for run in purchases.runs {
            guard let first = run.first else { continue }
            switch kind(of: first.product) {
            case .autoRenewable:
                let periods = run.filter { $0.expiresAt != nil }
                if !periods.isEmpty { chains[first.originalID, default: []] += periods }
            case .nonConsumable, .nonRenewing: products[first.product, default: []] += run
            case .consumable, nil: break
            }
        }
        return chains.map { chain, transactions in
            subscription(transactions, renewal: purchases.renewals[chain], asOf: asOf)
        }.compactMap(\.self)
            + products.compactMap { product, list in oneTime(product, list, asOf: asOf) }
    }

    private func subscription(
        _ transactions: [Purchase], renewal: Renewal?, asOf: Instant
    ) -> Grantor? {
        let subscription = Subscription(transactions: transactions, renewal: renewal)
        guard let standing = subscription.standing(asOf: asOf) else { return nil }
        return Grantor(
            standing, kind: .autoRenewable, renewal: renewal,
            rights: rights(of: transactions))
    }

    private func rights(of transactions: [Purchase]) -> Set<Right> {
        var rights: Set<Right> = []
        var last: ProductID?
        for transaction in transactions where transaction.product != last {
            last = transaction.product
            rights.insert(catalog.right(of: transaction.product))
        }
        return rights
    }

    private func oneTime(_ product: ProductID, _ list: [Purchase], asOf: Instant) -> Grantor? {
        let purchases = OneTimeProduct(purchases: list)
        let kind = kind(of: product)
        let standing: Standing?
        if kind == .nonConsumable {
            standing = purchases.ownership()
        } else if let duration = catalog.products[product]?.accessDuration {
            standing = purchases.pass(lasting: duration, asOf: asOf)
        } else {
            standing = nil
        }
        guard let standing, let kind else { return nil }
        return Grantor(standing, kind: kind, rights: [catalog.right(of: product)])
    }
}

extension Grantor {
    fileprivate init(
        _ standing: Standing, kind: ProductKind, renewal: Renewal? = nil, rights: Set<Right>
    ) {
        self.init(
            state: standing.state, endsAt: standing.endsAt, product: standing.covering.product,
            kind: kind, covering: standing.covering, goneAt: standing.goneAt, renewal: renewal,
            rights: rights)
    }
}
