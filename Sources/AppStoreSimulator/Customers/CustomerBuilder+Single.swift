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
