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

extension ServiceRows {
    func mistaken(_ rows: [SimulatedEntitlement], user: String) -> [SimulatedEntitlement] {
        var rows = rows
        switch customer.flaw(on: night) {
        case .none, .fooled: break
        case .stillGranted: rows = rows.map(granted)
        case .notGranted: rows = customer.number % 2 == 0 ? rows.map(withdrawn) : []
        case .believedPaid: rows.append(legacy(for: user))
        case .sameLevel: rows = rows.map { other(than: $0, isOlder: false, isOfSameLevel: true) }
        case .neverBought: rows.append(invented(for: user))
        case .duplicate: rows += rows.prefix(1).map { other(than: $0, isOlder: true) }
        case .wrongLevel: rows = rows.map { other(than: $0, isOlder: false) }
        case .expiryMissing: rows = rows.map { changed($0) { $0.expiresAt = nil } }
        case .expiryTooLate:
            rows = rows.map { changed($0) { $0.expiresAt = $0.expiresAt?.days(12) } }
        case .expiryTooEarly: rows = rows.map { changed($0) { $0.expiresAt = shortened($0) } }
        case .staleLabel: rows = rows.map { changed($0) { $0.autoRenew?.toggle() } }
        case .wrongOwnership:
            rows = rows.map {
                changed($0) {
                    $0.ownership = $0.ownership == "PURCHASED" ? "FAMILY_SHARED" : "PURCHASED"
                }
            }
        }
        return rows
    }

    private func changed(
        _ row: SimulatedEntitlement, _ change: (inout SimulatedEntitlement) -> Void
    ) -> SimulatedEntitlement {
        var row = row
        change(&row)
        return row
    }

    /// The service missed the end: the row is what it was before.
    private func granted(_ row: SimulatedEntitlement) -> SimulatedEntitlement {
        changed(row) { row in
            row.isActive = true
            row.expiresAt = row.expiresAt == nil ? nil : firstNight.days(20)
            row.updatedAt = min(row.updatedAt, firstNight.days(-3))
        }
    }

    private func withdrawn(_ row: SimulatedEntitlement) -> SimulatedEntitlement {
        changed(row) { row in
            row.isActive = false
            row.expiresAt = row.expiresAt.map { min($0, firstNight.days(-3)) }
        }
    }

    /// Too early, but still in the future.
    private func shortened(_ row: SimulatedEntitlement) -> Moment? {
        row.expiresAt.map { now + max(1, ($0.milliseconds - now.milliseconds) / 2) }
    }

    private func other(
        than row: SimulatedEntitlement, isOlder: Bool, isOfSameLevel: Bool = false
    ) -> SimulatedEntitlement {
        let products = SimulatedApp.all.flatMap(\.products)
        guard let product = products.first(where: { $0.id == row.product }),
            let other = products.first(where: {
                $0.group == product.group && $0.group != nil && $0.id != product.id
                    && ($0.level == product.level) == isOfSameLevel
            })
        else { return row }
        return changed(row) { row in
            row.product = other.id
            if isOlder { row.updatedAt = row.updatedAt.days(-1) }
        }
    }

    private func legacy(for user: String) -> SimulatedEntitlement {
        SimulatedEntitlement(
            id: "", user: user, product: SimulatedApp.atlas.product("premium").id, isActive: true,
            source: "legacy_paid", updatedAt: firstNight.days(-9))
    }

    private func invented(for user: String) -> SimulatedEntitlement {
        let app = SimulatedApp.lumen
        let isForGood = customer.number % 3 == 0
        let product = isForGood ? app.product("filters") : app.product("studio.yearly")
        return SimulatedEntitlement(
            id: "", user: user, product: product.id, isActive: true,
            expiresAt: isForGood ? nil : firstNight.days(120),
            updatedAt: min(
                customer.receipts.first?.storedAt ?? firstNight.days(-9),
                firstNight.days(-9)))
    }
}
