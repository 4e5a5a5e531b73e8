/// A customer's subscriptions: `StatusResponse`.
struct SubscriptionStatuses {
    let known: KnownAccount

    func fields() -> JSONFields {
        var groups: [(number: String, items: [JSON])] = []
        for subscription in known.account.subscriptions {
            guard let latest = subscription.latest(at: known.now),
                let renewal = RenewalPayload(subscription: subscription, account: known).fields()
            else { continue }
            let item = JSON.object([
                ("originalTransactionId", .text(String(latest.originalID))),
                ("status", .number(subscription.status(at: known.now).rawValue)),
                ("signedRenewalInfo", .text(JWSMint.text(.object(renewal)))),
                ("signedTransactionInfo", .text(known.signed(latest))),
            ])
            let number = latest.product.groupNumber
            if let index = groups.firstIndex(where: { $0.number == number }) {
                groups[index].items.append(item)
            } else {
                groups.append((number, [item]))
            }
        }
        var fields = known.envelope
        fields.add(
            "data",
            .list(
                groups.map { group in
                    .object([
                        ("subscriptionGroupIdentifier", .text(group.number)),
                        ("lastTransactions", .list(group.items)),
                    ])
                }))
        return fields
    }
}

/// Apple's `status` of a subscription.
enum SubscriptionStatus: Int64 {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case gracePeriod = 4
    case revoked = 5
}

extension Subscription {
    fileprivate func status(at now: Moment) -> SubscriptionStatus {
        guard let latest = latest(at: now), let expiry = latest.expiresAt else { return .expired }
        if let cancellation = latest.cancellation(at: now), cancellation < expiry {
            return .revoked
        }
        if expiry > now { return .active }
        guard let failure = renewal.failure, failure.isRetrying(at: now) else { return .expired }
        let isInGrace = failure.grace(at: now).map { $0 > now } ?? false
        return isInGrace ? .gracePeriod : .billingRetry
    }
}
