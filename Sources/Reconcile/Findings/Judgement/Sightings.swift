/// What must be compared with other users (SPEC §5, `shared_original_transaction` and
/// `unknown_product`).
extension Account {
    /// The subscriptions in right-giving answers, but for those that a family shares.
    func subscriptionSightings() -> [SubscriptionSighting] {
        var isShared: [TransactionID: Bool] = [:]
        for run in purchases.runs {
            guard let first = run.first, rules.kind(of: first.product) == .autoRenewable,
                run.contains(where: { $0.expiresAt != nil })
            else { continue }
            let isRunShared = run.contains { $0.expiresAt != nil && $0.isFamilyShared }
            isShared[first.originalID] = isShared[first.originalID] == true || isRunShared
        }
        guard !isShared.isEmpty else { return [] }
        let grants = grantsBySubscription()
        return isShared.filter { !$0.value }.keys.sorted().map { chain in
            SubscriptionSighting(user: evidence.user, chain: chain, grant: grants[chain])
        }
    }

    /// By chain, the granted row of which it is the best grantor.
    private func grantsBySubscription() -> [TransactionID: SubscriptionSighting.Grant] {
        var grants: [TransactionID: SubscriptionSighting.Grant] = [:]
        let rows = evidence.entitlements.filter { row in
            row.source == .appStore && !isInFlux(row) && row.isGranted(asOf: settings.asOf)
        }
        for row in rows.sorted(by: { $0.id < $1.id }) {
            guard let best = grantors(for: row).first, let chain = best.chain,
                grants[chain] == nil
            else { continue }
            grants[chain] = SubscriptionSighting.Grant(
                entitlement: row.id, receipt: best.covering.source.id, product: best.product,
                transaction: best.covering.id, ownership: best.covering.ownership,
                state: best.appleState, endsAt: best.endsAt, reason: best.reason,
                bundle: best.covering.source.receipt.bundle)
        }
        return grants
    }

    /// Nil when everything that there is of the user was judged.
    func undecided() -> UndecidedUser? {
        let rows = evidence.entitlements.filter { $0.source == .appStore }
        let isUnclear = evidence.invalidEntitlements > 0 || rows.contains { isInFlux($0) }
        guard isEvidenceMissing || isUnclear else { return nil }
        return UndecidedUser(
            user: evidence.user, lacksEvidence: isEvidenceMissing,
            mayBeGranted: isUnclear || rows.contains { $0.isGranted(asOf: settings.asOf) })
    }

    /// Products outside the catalogue that right-giving answers show, or that rows name.
    func unknownProducts() -> [UnknownProduct] {
        func isUnknown(_ product: ProductID) -> Bool { !catalog.has(product) }
        var shown: Set<ProductID> = []
        for product in purchases.runs.compactMap({ $0.first?.product }) where isUnknown(product) {
            shown.insert(product)
        }
        let stored = evidence.entitlements.map(\.product).filter(isUnknown)
        guard !shown.isEmpty || !stored.isEmpty else { return [] }
        return
            (shown.map { UnknownProduct(product: $0, users: 1, rows: 0) }
            + stored.map { UnknownProduct(product: $0, users: 0, rows: 1) }).combined
    }
}
