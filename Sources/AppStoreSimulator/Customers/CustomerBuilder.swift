/// Builds one customer from a seed and a number, as of an instant. Dates lie around the first
/// night, so that every state occurs then. Later events are drawn with the rest and become visible
/// on later nights: no night draws new random numbers.
struct CustomerBuilder {
    private let seed: UInt64
    let number: Int
    let firstNight: Moment
    /// Renewals are generated up to this instant.
    let now: Moment
    var random: SplitMix64
    var customer: Customer
    private var chains = 0

    init(seed: UInt64, number: Int, card: Card, firstNight: Moment, now: Moment) {
        self.seed = seed
        self.number = number
        self.firstNight = firstNight
        self.now = now
        random = SplitMix64(seed: seed, part: UInt64(number))
        let user = String(number + 1)
        customer = Customer(
            number: number, card: card,
            users: ["user-" + String(repeating: "0", count: max(0, 7 - user.count)) + user])
    }

    /// For what was added to the world later: the other numbers stay as they were.
    func laterRandom() -> SplitMix64 { SplitMix64(seed: seed ^ 0xa91, part: UInt64(number)) }

    mutating func ago(_ days: ClosedRange<Int>) -> Moment {
        firstNight.days(-random.within(days)) - Int64(random.below(20 * 3_600)) * 1_000
    }

    mutating func account(_ app: SimulatedApp) -> AppAccount {
        var account = AppAccount(app, installedAt: ago(800...1_400))
        account.originalVersion =
            app == .tempo
            ? "\(random.within(4...5)).\(random.within(0...11)).\(random.within(0...4))"
            : String(random.within(250...420))
        return account
    }

    mutating func anyAppWithSubscriptions() -> SimulatedApp {
        random.isTrue(percent: 70) ? .atlas : .lumen
    }

    // MARK: Purchases

    /// A subscription whose period 0 begins at `anchor`.
    /// - Parameters:
    ///   - past: number of earlier periods.
    ///   - last: index of the last paid period; nil: it keeps renewing.
    mutating func subscription(
        _ product: SimulatedProduct, from anchor: Moment, past: Int, last: Int? = nil,
        isShared: Bool = false, isSandbox: Bool = false
    ) -> Subscription {
        let series = series(isShared: isShared, isSandbox: isSandbox)
        let first = product.start(-past, periodsAfter: anchor)
        var periods: [Purchase] = []
        var index = -past
        while index <= last ?? .max {
            let start = product.start(index, periodsAfter: anchor)
            guard index <= 0 || start <= now else { break }
            var period = Purchase(product, id: series.id(index + past), at: start)
            period.originalID = series.id(0)
            period.originallyPurchasedAt = first
            period.expiresAt = product.start(index + 1, periodsAfter: anchor)
            period.isShared = isShared
            periods.append(period)
            index += 1
        }
        return Subscription(periods: periods)
    }

    mutating func purchase(
        _ product: SimulatedProduct, at moment: Moment, isShared: Bool = false
    ) -> Purchase {
        let series = series(isShared: isShared)
        var purchase = Purchase(product, id: series.id(0), at: moment)
        purchase.isShared = isShared
        return purchase
    }

    /// A new series of transaction ids.
    mutating func series(isShared: Bool = false, isSandbox: Bool = false) -> TransactionSeries {
        chains += 1
        let space: TransactionSeries.Space =
            isSandbox ? .sandbox : isShared ? .family : .production
        return TransactionSeries(space: space, customer: number, chain: chains)
    }

    mutating func history(of product: SimulatedProduct) -> Int {
        let most =
            switch product.period {
            case .months(let months): months >= 12 ? 2 : 14
            case .days, nil: 20
            }
        return random.below(most + 1)
    }
}

extension CustomerBuilder {
    mutating func addStory() {
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
        addWhatOnlyTheAPIShows()
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

extension CustomerBuilder {
    mutating func addReceiptStory() {
        let story = customer.card.story
        let app: SimulatedApp = story == .wrongApp ? .lumen : anyAppWithSubscriptions()
        var account = account(app)
        if story == .accountGone { account.recognition = .accountGone }
        if story == .forged { account.recognition = .notAuthentic }
        if ![.garbage, .emptyReceipt, .noReceipt].contains(story) {
            let product = random.one(of: app.subscriptions)
            account.subscriptions = [runningSubscription(to: product)]
        }
        customer.accounts = [account]
    }

    mutating func storeReceipts() {
        guard customer.card.story != .noReceipt else { return }
        if customer.card.story == .sharedPioneer { return storeOneReceiptForAll() }
        for user in customer.users {
            for index in customer.accounts.indices {
                store(of: index, user: user)
                if random.isTrue(percent: 6) { store(of: index, user: user) }
            }
        }
    }

    private mutating func storeOneReceiptForAll() {
        store(of: 0, user: customer.users[0])
        let first = customer.receipts[0]
        customer.receipts += customer.users.dropFirst().map { user in
            ReceiptFile(
                number: first.number, user: user, account: first.account, bundle: first.bundle,
                storedAt: first.storedAt)
        }
    }

    private mutating func store(of index: Int, user: String) {
        let account = customer.accounts[index]
        let known = account.seen(at: firstNight.days(-1)).map(\.purchasedAt).max()
        let after = max(known ?? account.installedAt, account.installedAt)
        var receipt = ReceiptFile(
            number: customer.receipts.count + 1, user: user, account: index,
            bundle: customer.card.story == .wrongApp
                ? SimulatedApp.atlas.bundle : account.app.bundle,
            storedAt: after + Int64(random.within(60...3_600)) * 1_000)
        switch customer.card.story {
        case .signedTransaction: receipt.form = .signedTransaction
        case .xcode: receipt.form = .xcode
        case .garbage: receipt.form = .garbage
        case .emptyReceipt: receipt.form = .empty
        default: receipt.damage = damage()
        }
        customer.receipts.append(receipt)
    }

    private mutating func damage() -> ReceiptFile.Damage {
        switch random.below(100) {
        case 0...3: .wrapped
        case 4...6: .spaces
        case 7...9: .urlSafe
        case 10...11: .unpadded
        default: .none
        }
    }
}
