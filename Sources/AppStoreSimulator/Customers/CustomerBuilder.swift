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
