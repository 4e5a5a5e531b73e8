extension CustomerBuilder {
    mutating func addRunningSubscriptionStory() {
        let story = customer.card.story
        let app =
            story == .secondChain || story == .upgraded || story == .downgrading
            ? .atlas : anyAppWithSubscriptions()
        var account = account(app)
        let product = product(of: app)
        switch story {
        case .trialing: account.subscriptions = [trial(of: product)]
        case .introductory: account.subscriptions = [introduction(to: product)]
        case .offerRedeemed: account.subscriptions = [offer(of: product)]
        case .notRenewing: account.subscriptions = [lastPeriod(of: product)]
        case .upgraded: account.subscriptions = [upgrade()]
        case .downgrading: account.subscriptions = [downgrade()]
        case .returned: account.subscriptions = [comeback(to: product)]
        case .secondChain:
            let former = endedSubscription(to: app.product("plus.monthly"), at: ago(50...200))
            account.subscriptions = [
                former.ended(because: 1), runningSubscription(to: product),
            ]
        case .familyMember:
            account.subscriptions = [
                subscription(
                    product, from: currentPeriod(of: product), past: history(of: product),
                    isShared: true)
            ]
        case .implausibleDates:
            account.subscriptions = [implausible(product)]
        default: account.subscriptions = [runningSubscription(to: product)]
        }
        account.isGarbled = story == .garbledAnswer
        customer.accounts = [account]
    }

    private mutating func product(of app: SimulatedApp) -> SimulatedProduct {
        switch customer.card.story {
        case .yearlySubscriber: app.product(app == .atlas ? "pro.yearly" : "studio.yearly")
        case .magazineReader where app == .atlas: app.product("weekly")
        case .unknownProduct where app == .atlas: app.product("mystery")
        default: random.one(of: app.subscriptions.filter { $0.shortestDays < 100 })
        }
    }

    private mutating func trial(of product: SimulatedProduct) -> Subscription {
        let start = ago(2...5)
        var paid = subscription(product, from: start.days(7), past: 0)
        let series = series()
        var trial = Purchase(product, id: series.id(0), at: start)
        trial.isTrial = true
        trial.expiresAt = start.days(7)
        paid.periods = ([trial] + paid.periods.filter { $0.purchasedAt <= now }).map { period in
            var period = period
            period.originalID = trial.id
            period.originallyPurchasedAt = start
            return period
        }
        return paid
    }

    private mutating func introduction(to product: SimulatedProduct) -> Subscription {
        var subscription = subscription(
            product, from: currentPeriod(of: product), past: random.within(0...2))
        subscription.periods[0].isIntroductory = true
        return subscription
    }

    private mutating func offer(of product: SimulatedProduct) -> Subscription {
        var subscription = subscription(
            product, from: currentPeriod(of: product), past: random.within(1...6))
        if random.isTrue(percent: 50) {
            subscription.periods[1].promotionalOffer = "winback-autumn"
        } else {
            subscription.periods[0].offerCode = "ATLAS-FRIENDS"
        }
        return subscription
    }

    private mutating func lastPeriod(of product: SimulatedProduct) -> Subscription {
        let anchor = currentPeriod(of: product)
        var subscription = subscription(
            product, from: anchor, past: history(of: product), last: 0)
        subscription.renewal.turnedOffAt = anchor.hours(20)
        subscription.renewal.intent = 1
        // Some left because of a price increase, for which consent is still pending.
        subscription.renewal.asksForConsent = random.isTrue(percent: 20)
        return subscription
    }

    /// Upgraded to the highest level within a period. Half of the upgraded transactions are also
    /// cancelled, as in Apple's answers.
    private mutating func upgrade() -> Subscription {
        let plus = SimulatedApp.atlas.product("plus.monthly")
        let top = SimulatedApp.atlas.product("max.monthly")
        let moment = ago(2...20)
        var subscription = subscription(
            plus, from: moment.days(-random.within(3...20)), past: history(of: plus), last: 0)
        let index = subscription.periods.count - 1
        subscription.periods[index].upgradedAt = moment
        if random.isTrue(percent: 50) { subscription.periods[index].cancelledAt = moment }
        let chain = subscription.periods[0].originalID
        let began = subscription.periods[0].originallyPurchasedAt
        let later = self.subscription(top, from: moment, past: 0)
        subscription.periods += later.periods.map { period in
            var period = period
            period.originalID = chain
            period.originallyPurchasedAt = began
            return period
        }
        return subscription
    }

    private mutating func downgrade() -> Subscription {
        let app = SimulatedApp.atlas
        let high = app.product("max.monthly")
        var subscription = subscription(
            high, from: currentPeriod(of: high), past: history(of: high), last: 0)
        subscription.renewal.nextProduct = app.product("plus.monthly")
        return subscription
    }

    private mutating func comeback(to product: SimulatedProduct) -> Subscription {
        let former = endedSubscription(to: product, at: ago(60...300), past: random.within(0...4))
        var subscription = runningSubscription(to: product)
        subscription.periods.removeAll { $0.purchasedAt < firstNight.days(-30) }
        subscription.periods =
            former.periods
            + subscription.periods.map { period in
                var period = period
                period.originalID = former.periods[0].originalID
                period.originallyPurchasedAt = former.periods[0].purchasedAt
                return period
            }
        return subscription
    }

    /// Expires at 2099-09-09T00:00:00Z, as a forged answer seen in practice did.
    private mutating func implausible(_ product: SimulatedProduct) -> Subscription {
        var subscription = subscription(
            product, from: currentPeriod(of: product), past: 0, last: 0)
        subscription.periods[0].expiresAt = Moment(milliseconds: 4_092_595_200_000)
        return subscription
    }
}

extension Subscription {
    func ended(because intent: Int?) -> Subscription {
        var subscription = self
        subscription.renewal.turnedOffAt = subscription.periods.last?.purchasedAt.hours(30)
        subscription.renewal.intent = intent
        return subscription
    }
}

extension CustomerBuilder {
    mutating func addSinglePurchaseStory() {
        let atlas = SimulatedApp.atlas
        let isLumen = customer.card.story == .owner && random.isTrue(percent: 30)
        var account = account(isLumen ? .lumen : atlas)
        let good = isLumen ? SimulatedApp.lumen.product("filters") : atlas.product("unlock")
        switch customer.card.story {
        case .owner: account.purchases = [purchase(good, at: ago(3...700))]
        case .ownerRefunded: account.purchases = [refunded(good, at: ago(10...80))]
        case .sharedOwnerLeft:
            account.purchases = [refunded(good, at: ago(10...80), isShared: true)]
        case .passHolder: account.purchases = passes(endingAfterNight: true)
        case .passExpired: account.purchases = passes(endingAfterNight: false)
        case .coinBuyer:
            let coins = atlas.product("coins")
            account.purchases = (0..<random.within(1...5)).map { _ in
                purchase(coins, at: ago(2...300))
            }
            if random.isTrue(percent: 40) {
                account.purchases.append(refunded(coins, at: ago(5...60)))
            }
        default: collect(into: &account)
        }
        customer.accounts = [account]
    }

    private mutating func collect(into account: inout AppAccount) {
        let atlas = SimulatedApp.atlas
        account.subscriptions = [
            runningSubscription(to: random.one(of: atlas.subscriptions)),
            runningSubscription(to: atlas.product("weekly")),
        ]
        account.purchases = [
            purchase(atlas.product("unlock"), at: ago(30...700)),
            purchase(atlas.product("coins"), at: ago(3...300)),
        ]
        if random.isTrue(percent: 50) { account.purchases += passes(endingAfterNight: true) }
    }

    private mutating func refunded(
        _ product: SimulatedProduct, at moment: Moment, isShared: Bool = false
    ) -> Purchase {
        var purchase = purchase(product, at: moment, isShared: isShared)
        purchase.cancelledAt = moment.days(random.within(1...6))
        purchase.isRefundedForTheApp = random.isTrue(percent: 25)
        return purchase
    }

    /// One to three passes, each bought while the previous one was valid.
    private mutating func passes(endingAfterNight isRunning: Bool) -> [Purchase] {
        let pass = SimulatedApp.atlas.product("pass")
        let count = random.within(1...3)
        let last = isRunning ? ago(2...24) : ago(100...160)
        return (0..<count).map { index in
            purchase(pass, at: last.days(-25 * (count - 1 - index)))
        }
    }
}

extension CustomerBuilder {
    /// Finished consumables, and how much of a price was refunded.
    mutating func addWhatOnlyTheAPIShows() {
        var random = laterRandom()
        for index in customer.accounts.indices {
            if [.coinBuyer, .collector].contains(customer.card.story) {
                customer.accounts[index].finished = finishedCoins(&random)
            }
            if customer.card.story == .magazineReader, random.isTrue(percent: 10) {
                refundPart(ofAccount: index, &random)
            }
            customer.accounts[index].refundParts(&random)
        }
    }

    /// Of a period that has ended: the two sources disagree about it, but not about the right.
    private mutating func refundPart(ofAccount account: Int, _ random: inout SplitMix64) {
        let periods = customer.accounts[account].subscriptions[0].periods
        let index = periods.count { $0.purchasedAt <= firstNight } - 3
        guard index >= 0 else { return }
        let refundedAt = periods[index].purchasedAt.days(random.within(1...4))
        customer.accounts[account].subscriptions[0].periods[index].partRefundedAt = refundedAt
        customer.accounts[account].subscriptions[0].periods[index].refundedShare = 50_000
    }

    private mutating func finishedCoins(_ random: inout SplitMix64) -> [Purchase] {
        var coins = (0..<random.within(1...3)).map { _ in
            let days = random.within(8...200)
            let bought = firstNight.days(-days) - Int64(random.below(20 * 3_600)) * 1_000
            var purchase = purchase(SimulatedApp.atlas.product("coins"), at: bought)
            purchase.quantity = random.within(1...3)
            return purchase
        }
        if customer.card.story == .coinBuyer, random.isTrue(percent: 60) {
            coins[0].cancelledAt = coins[0].purchasedAt.days(random.within(1...6))
        }
        return coins
    }
}

extension AppAccount {
    /// Makes some refunds partial.
    fileprivate mutating func refundParts(_ random: inout SplitMix64) {
        for index in subscriptions.indices { subscriptions[index].periods.refundParts(&random) }
        purchases.refundParts(&random)
        finished.refundParts(&random)
    }
}

extension [Purchase] {
    fileprivate mutating func refundParts(_ random: inout SplitMix64) {
        for index in indices
        where self[index].cancelledAt != nil && self[index].isRefunded
            && random.isTrue(percent: 30)
        {
            self[index].refundedShare = random.one(of: [25_000, 33_333, 50_000, 67_932])
        }
    }
}
