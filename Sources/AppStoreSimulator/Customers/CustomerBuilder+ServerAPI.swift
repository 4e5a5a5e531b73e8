extension CustomerBuilder {
    /// Finished consumables, and how much of a price was refunded.
    mutating func addWhatOnlyTheAPITells() {
        var random = laterRandom()
        for index in customer.accounts.indices {
            if [.coinBuyer, .collector].contains(customer.card.story) {
                customer.accounts[index].finished = finishedCoins(&random)
            }
            customer.accounts[index].refundParts(&random)
        }
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
        for index in indices where self[index].isRefunded && random.isTrue(percent: 30) {
            self[index].refundedShare = random.one(of: [25_000, 33_333, 50_000, 67_932])
        }
    }
}
