extension CustomerBuilder {
    mutating func addFailingPaymentStory() {
        let app = anyAppWithSubscriptions()
        var account = account(app)
        let product = random.one(of: app.subscriptions.filter { $0.shortestDays < 100 })
        let isGrace = customer.card.story == .grace
        let end = isGrace ? ago(2...6) : ago(20...45)
        var subscription = endedSubscription(to: product, at: end)
        var failure = BillingFailure(
            since: end, graceUntil: isGrace || random.isTrue(percent: 50) ? end.days(16) : nil,
            givesUpAt: end.days(60))
        // Half of the customers in a grace period pay in one of the next nights.
        let recovery = firstNight.hours(random.within(10...60))
        if isGrace, random.isTrue(percent: 50), recovery <= now {
            failure.recoveredAt = recovery
            let later = self.subscription(product, from: recovery, past: 0)
            let first = subscription.periods[0]
            subscription.periods += later.periods.map { period in
                var period = period
                period.originalID = first.originalID
                period.originallyPurchasedAt = first.purchasedAt
                return period
            }
        }
        subscription.renewal.failure = failure
        subscription.renewal.intent = 2
        account.subscriptions = [subscription]
        customer.accounts = [account]
    }

    mutating func addEndedSubscriptionStory() {
        let app = anyAppWithSubscriptions()
        var account = account(app)
        let product = random.one(of: app.subscriptions.filter { $0.shortestDays < 100 })
        switch customer.card.story {
        case .lapsedLongAgo:
            account.subscriptions = [
                endedSubscription(to: product, at: ago(100...700)).ended(
                    because: random.one(of: [1, 2, 4, 5, nil]))
            ]
        case .justLapsed:
            let end = firstNight.hours(-random.within(1...22))
            account.subscriptions = [endedSubscription(to: product, at: end).ended(because: 1)]
        case .priceRefused:
            var subscription = endedSubscription(to: product, at: ago(3...40)).ended(because: 3)
            subscription.renewal.asksForConsent = true
            account.subscriptions = [subscription]
        case .lapsed:
            account.subscriptions = [
                endedSubscription(to: product, at: ago(3...60)).ended(
                    because: random.one(of: [1, 1, 1, 2, 4, 5, nil]))
            ]
        case .familyLeft:
            account.subscriptions = [leftFamily(product)]
        default: account.subscriptions = [refundedSubscription(to: product)]
        }
        customer.accounts = [account]
    }

    private mutating func leftFamily(_ product: SimulatedProduct) -> Subscription {
        let anchor = ago(8...20)
        var subscription = subscription(
            product, from: anchor, past: history(of: product), last: 0, isShared: true)
        let last = subscription.periods.count - 1
        subscription.periods[last].cancelledAt = anchor.days(random.within(2...5))
        return subscription.ended(because: 1)
    }

    mutating func refundedSubscription(to product: SimulatedProduct) -> Subscription {
        let story = customer.card.story
        if story == .refundedAfterExpiry {
            let end = ago(10...50)
            var subscription = endedSubscription(to: product, at: end).ended(because: 1)
            subscription.refund(at: end.days(random.within(1...4)))
            return subscription
        }
        let anchor = ago(7...20)
        if story == .refundedEarlier {
            var subscription = subscription(product, from: anchor, past: random.within(2...9))
            // The first of at least three periods, so never the current one.
            subscription.periods[0].cancelledAt = subscription.periods[0].purchasedAt.days(3)
            return subscription
        }
        // A customer who will be refunded later still renews until then.
        var subscription = subscription(
            product, from: anchor, past: history(of: product), last: 0)
        let moment =
            switch story {
            case .refundedLastNight: firstNight.hours(-random.within(2...20))
            case .refundedTomorrow: firstNight.hours(random.within(2...20))
            default: anchor.days(random.within(2...4))
            }
        subscription.refund(at: moment, forTheApp: random.isTrue(percent: 25))
        guard story == .refundReversed else {
            let renewal = subscription.renewal
            subscription = subscription.ended(because: 1)
            if story == .refundedTomorrow { subscription.renewal = renewal }
            return subscription
        }
        let index = subscription.periods.count - 1
        subscription.periods[index].refundReversedAt = firstNight.hours(random.within(3...15))
        return subscription
    }
}

extension Subscription {
    fileprivate mutating func refund(at moment: Moment, forTheApp isForTheApp: Bool = false) {
        let index = periods.count - 1
        periods[index].cancelledAt = moment
        periods[index].isRefundedForTheApp = isForTheApp
    }
}
