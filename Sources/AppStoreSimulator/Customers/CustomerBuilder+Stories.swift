extension CustomerBuilder {
    mutating func tell() {
        switch customer.card.story {
        case .subscriber, .yearlySubscriber, .magazineReader, .trialing, .introductory,
            .offerRedeemed, .notRenewing, .upgraded, .downgrading, .returned, .secondChain,
            .familyMember, .unknownProduct, .garbledAnswer, .implausibleDates:
            addRunningSubscriptionStory()
        case .grace, .billingRetry:
            addFailingPaymentStory()
        case .lapsed, .lapsedLongAgo, .justLapsed, .priceRefused, .refunded, .refundedLastNight,
            .refundedTomorrow, .refundedEarlier, .refundedAfterExpiry, .refundReversed, .familyLeft:
            addEndedSubscriptionStory()
        case .owner, .ownerRefunded, .sharedOwnerLeft, .passHolder, .passExpired, .coinBuyer,
            .collector:
            addSinglePurchaseStory()
        case .newcomer, .prospect, .pioneer, .unsurePioneer, .sharedPioneer, .volumeBuyer,
            .oldClient, .oldClientExpired, .oldClientRefunded, .tester, .twoApps, .sharedAccount,
            .sharedByPayer:
            addAccountStory()
        case .wrongApp, .accountGone, .forged, .signedTransaction, .xcode, .garbage,
            .emptyReceipt, .noReceipt:
            addReceiptStory()
        }
        addWhatOnlyTheAPITells()
        storeReceipts()
        correctMistakes()
    }

    /// Begins long enough ago that no change is settling.
    mutating func currentPeriod(of product: SimulatedProduct) -> Moment {
        switch product.shortestDays {
        case ..<10: ago(2...3)
        case ..<100: ago(2...24)
        default: ago(2...300)
        }
    }

    mutating func runningSubscription(to product: SimulatedProduct) -> Subscription {
        subscription(product, from: currentPeriod(of: product), past: history(of: product))
    }

    mutating func endedSubscription(
        to product: SimulatedProduct, at end: Moment, past: Int? = nil
    ) -> Subscription {
        let past = past ?? history(of: product)
        let anchor = product.start(-1, periodsAfter: end)
        return subscription(product, from: anchor, past: past, last: 0)
    }

    private mutating func correctMistakes() {
        guard customer.card.flaw != .none else { return }
        switch random.below(10) {
        case 0...1: customer.correctedFrom = 2
        case 2...3: customer.correctedFrom = 3
        case 4: customer.wrongFrom = 2
        case 5 where random.isTrue(percent: 50): customer.wrongFrom = 3
        default: break
        }
    }
}
