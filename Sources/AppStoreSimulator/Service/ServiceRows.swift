/// A customer's rows at the service: Apple's state plus the service's mistakes.
struct ServiceRows {
    let customer: Customer
    let night: Int
    let now: Moment
    let firstNight: Moment

    /// Sorted by user, then by right.
    func rows() -> [SimulatedEntitlement] {
        customer.users.flatMap { user in
            numbered(mistaken(believed(by: user), user: user), user: user)
        }
    }

    /// The rows of a service without mistakes.
    private func believed(by user: String) -> [SimulatedEntitlement] {
        let flaw = customer.flaw(on: night)
        var rows: [SimulatedEntitlement] = []
        for account in customer.accounts {
            guard isTrusted(account) || flaw == .fooled else { continue }
            rows += subscriptionRows(account, user: user)
            rows += purchaseRows(account, user: user)
            rows += legacyRows(account, user: user)
        }
        return rows.sorted { $0.product < $1.product }
    }

    /// Test purchases, forgeries and receipts of other apps grant nothing.
    private func isTrusted(_ account: AppAccount) -> Bool {
        !account.isSandbox && account.recognition != .notAuthentic
            && ![.wrongApp, .xcode, .signedTransaction].contains(customer.card.story)
    }

    private func subscriptionRows(
        _ account: AppAccount, user: String
    ) -> [SimulatedEntitlement] {
        var rows: [String: SimulatedEntitlement] = [:]
        for subscription in account.subscriptions {
            guard let row = row(of: subscription, user: user),
                let product = subscription.latest(at: now)?.product
            else { continue }
            let former = rows[product.right]
            if former.map({ $0.expiresAt ?? now < row.expiresAt ?? now }) ?? true {
                rows[product.right] = row
            }
        }
        return rows.values.sorted { $0.product < $1.product }
    }

    private func row(of subscription: Subscription, user: String) -> SimulatedEntitlement? {
        guard let latest = subscription.latest(at: now), let expiry = latest.expiresAt else {
            return nil
        }
        let cancellation = latest.cancellation(at: now)
        let grace = subscription.renewal.failure?.grace(at: now)
        let end = cancellation ?? max(expiry, grace ?? expiry)
        var row = SimulatedEntitlement(
            id: "", user: user, product: latest.product.id, isActive: end > now,
            updatedAt: written(cancellation ?? latest.purchasedAt))
        row.originalTransaction = String(latest.originalID)
        row.expiresAt = end
        row.autoRenew = subscription.renewal.turnedOffAt.map { $0 > now } ?? true
        row.ownership = latest.isShared ? "FAMILY_SHARED" : "PURCHASED"
        return row
    }

    private func purchaseRows(_ account: AppAccount, user: String) -> [SimulatedEntitlement] {
        let bought = account.purchases.filter {
            $0.purchasedAt <= now && $0.product.kind != .consumable
        }
        return Dictionary(grouping: bought, by: \.product).map { product, purchases in
            let standing = purchases.filter { $0.cancellation(at: now) == nil }
            let last = (standing.isEmpty ? purchases : standing).max {
                $0.purchasedAt < $1.purchasedAt
            }
            var row = SimulatedEntitlement(
                id: "", user: user, product: product.id, isActive: !standing.isEmpty,
                updatedAt: written(last?.purchasedAt ?? now))
            row.originalTransaction = last.map { String($0.originalID) }
            row.ownership = last?.isShared == true ? "FAMILY_SHARED" : "PURCHASED"
            if product.kind == .nonRenewing {
                row.expiresAt = end(ofStacked: standing.isEmpty ? purchases : standing)
                row.isActive = row.isActive && row.expiresAt.map { $0 > now } ?? false
            }
            return row
        }.sorted { $0.product < $1.product }
    }

    private func end(ofStacked passes: [Purchase]) -> Moment? {
        passes.sorted { $0.purchasedAt < $1.purchasedAt }.reduce(nil) { end, pass in
            pass.product.end(of: max(end ?? pass.purchasedAt, pass.purchasedAt))
        }
    }

    /// A customer who bought the app keeps the premium product.
    private func legacyRows(_ account: AppAccount, user: String) -> [SimulatedEntitlement] {
        guard [.pioneer, .unsurePioneer, .sharedPioneer].contains(customer.card.story),
            let premium = account.app.premiumProduct
        else { return [] }
        return [
            SimulatedEntitlement(
                id: "", user: user, product: premium, isActive: true, source: "legacy_paid",
                updatedAt: written(account.installedAt))
        ]
    }

    /// The service learns of events within minutes and never writes dates in the future.
    private func written(_ moment: Moment) -> Moment {
        min(now - 60_000, moment + 7 * 60_000)
    }

    private func numbered(
        _ rows: [SimulatedEntitlement], user: String
    ) -> [SimulatedEntitlement] {
        rows.enumerated().map { index, row in
            var row = row
            row.id = "entitlement-\(customer.tag(of: user))-\(index + 1)"
            return row
        }
    }
}
