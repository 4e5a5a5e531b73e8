struct Subscription {
    let transactions: [Purchase]
    /// Bought after the instant that is judged.
    var upcoming: [Purchase] = []
    let renewal: Renewal?

    /// Nil when all transactions are upgraded or without expiry.
    func access(asOf: Instant) -> ProductAccess? {
        guard let latest = latestPeriod(where: { _ in true }), let expiresAt = latest.expiresAt
        else { return nil }
        let isRunning = { (period: Purchase) in !period.isCancelled && period.lasts(after: asOf) }
        if let covering = isRunning(latest) ? latest : latestPeriod(where: isRunning) {
            return ProductAccess(state: .active, endsAt: covering.expiresAt, covering: covering)
        }
        let graceEndsAt = renewal?.gracePeriodExpiresAt
        if let graceEndsAt, graceEndsAt > asOf, !latest.isCancelled {
            return ProductAccess(state: .grace, endsAt: graceEndsAt, covering: latest)
        }
        if let cancelledAt = latest.cancelledAt, cancelledAt < expiresAt {
            return ProductAccess(
                state: latest.isOfFamily ? .familyRevoked : .revoked, endsAt: cancelledAt,
                covering: latest)
        }
        let cancellations = transactions.lazy.filter(\.isPeriod).compactMap(\.cancelledAt)
        return ProductAccess(
            state: renewal?.isInBillingRetry == true ? .billingRetry : .expired,
            endsAt: expiresAt, covering: latest,
            goneAt: ([expiresAt] + cancellations + [graceEndsAt].compactMap(\.self)).max())
    }

    /// By reference: a copy of each purchase would count its receipt's references twice.
    private func latestPeriod(where isWanted: (Purchase) -> Bool) -> Purchase? {
        var latest: Int?
        for index in transactions.indices
        where transactions[index].isPeriod && isWanted(transactions[index]) {
            if let latest, !Self.isEarlier(transactions[latest], transactions[index]) { continue }
            latest = index
        }
        return latest.map { transactions[$0] }
    }

    /// Renewals that Apple charged ahead of `asOf`: each was bought at most a day after it, and
    /// within an hour of the previous period's end.
    func chargedAhead(asOf: Instant) -> [Purchase] {
        guard !upcoming.isEmpty else { return [] }
        let periods = transactions.filter { !$0.isUpgraded }
        let uncancelled = periods.filter { !$0.isCancelled }
        var end = (uncancelled.isEmpty ? periods : uncancelled).compactMap(\.expiresAt).max()
        return upcoming.sorted { $0.isBoughtBefore($1) }.filter { period in
            guard let soFar = end, let expiresAt = period.expiresAt, !period.isUpgraded,
                period.cancelledAt.map({ $0 > asOf }) ?? true,
                period.purchasedAt <= asOf + Self.chargeAheadLimit,
                abs(period.purchasedAt.milliseconds - soFar.milliseconds) <= Self.joined
            else { return false }
            end = max(soFar, expiresAt)
            return true
        }
    }

    private static let chargeAheadLimit = Duration.seconds(86_400)
    /// Milliseconds between the end of a period and the purchase of the next.
    private static let joined: Int64 = 3_600_000

    /// By expiry, then by purchase; cancelled before uncancelled; then by id.
    private static func isEarlier(_ left: Purchase, _ right: Purchase) -> Bool {
        let leftEnd = left.expiresAt ?? .distantPast
        let rightEnd = right.expiresAt ?? .distantPast
        guard leftEnd == rightEnd else { return leftEnd < rightEnd }
        guard left.purchasedAt == right.purchasedAt else {
            return left.purchasedAt < right.purchasedAt
        }
        guard left.isCancelled == right.isCancelled else { return left.isCancelled }
        return left.id.isNumericallyLess(than: right.id)
    }
}

extension Purchase {
    fileprivate var isPeriod: Bool { expiresAt != nil && !isUpgraded }

    fileprivate func lasts(after instant: Instant) -> Bool {
        expiresAt.map { $0 > instant } ?? false
    }
}
