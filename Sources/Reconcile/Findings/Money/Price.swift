/// A price of a product, and the time it pays for: the catalogue's list price, or the one that
/// Apple recorded of a transaction.
struct Price: Hashable {
    enum Span: Hashable {
        case forGood
        /// In milliseconds.
        case period(Int128)
        case unknown
    }

    let amount: DecimalNumber
    let currency: Currency
    let span: Span
    private let listPrice: String
    private let interval: CalendarInterval?
    let basis: AmountBasis

    init?(of product: CatalogProduct) {
        guard let listPrice = product.listPrice, let amount = DecimalNumber(listPrice),
            let currency = product.currency.flatMap(Currency.init)
        else { return nil }
        self.amount = amount
        self.currency = currency
        self.listPrice = listPrice
        basis = .listPrice
        switch product.kind {
        case .autoRenewable:
            interval = product.billingPeriod
            span = Self.span(interval)
        case .nonRenewing:
            interval = product.accessDuration
            span = Self.span(interval)
        case .nonConsumable, .consumable:
            interval = nil
            span = .forGood
        }
    }

    /// The price that Apple recorded of a purchase. Nil without one.
    /// - Parameters:
    ///   - purchase: of a subscription it is for the transaction's own time.
    ///   - kinds: of a pass it is for the time that the catalogue gives.
    init?(recordedOf purchase: Purchase, _ kinds: ProductKinds) {
        guard let recorded = purchase.sale?.price, recorded.thousandths >= 0,
            let amount = DecimalNumber(thousandths: recorded.thousandths),
            let currency = Currency(recorded.currency)
        else { return nil }
        self.amount = amount
        self.currency = currency
        listPrice = ""
        basis = .recordedPrice
        switch kinds.kind(of: purchase.product) {
        case .autoRenewable:
            let time = purchase.expiresAt.map {
                $0.milliseconds - purchase.purchasedAt.milliseconds
            }
            let own = time.map { CalendarInterval(milliseconds: $0) }
            span = Self.span(own)
            interval = own.map { CalendarInterval(days: $0.nearestDays) }
        case .nonRenewing:
            interval = kinds.catalog.products[purchase.product]?.accessDuration
            span = Self.span(interval)
        case .nonConsumable, .consumable, nil:
            interval = nil
            span = .forGood
        }
    }

    private static func span(_ interval: CalendarInterval?) -> Span {
        interval.flatMap(period).map(Span.period) ?? .unknown
    }

    /// In milliseconds. Nil unless above zero and below a hundred thousand years.
    private static func period(_ interval: CalendarInterval) -> Int128? {
        let milliseconds = Int128(interval.nominalDuration.inMilliseconds)
        let isSensible = milliseconds > 0 && milliseconds < 36_500_000 * millisecondsPerDay
        return isSensible ? milliseconds : nil
    }

    private static let millisecondsPerDay = Int128(Instant.millisecondsPerDay)

    /// The price of `days`: price × days ÷ period, or the whole price without a period, rounded
    /// half-even to the minor unit. Nil on overflow and when the period is unknown.
    func charge(forDays days: Int) -> Money? {
        switch span {
        case .forGood: return whole
        case .unknown: return nil
        case .period(let period):
            guard let spent = Int128(days).times(Self.millisecondsPerDay) else { return nil }
            return money(times: spent, over: period)
        }
    }

    var whole: Money? { money(times: 1, over: 1) }

    /// A part of the price of several, in thousandths of a percent.
    func part(_ thousandths: Int, times quantity: Int = 1) -> Money? {
        guard let factor = Int128(quantity).times(Int128(thousandths)) else { return nil }
        return money(times: factor, over: 100_000)
    }

    var nothing: Money { Money(minorUnits: 0, in: currency) }

    /// With the currency's decimals, for example `4.99 USD` for a `list_price` of 4.9900000000.
    /// Rounded like an amount; `charge` computes with the price as it is stored.
    var inWords: String {
        let price = "\(whole?.text ?? listPrice) \(currency.code)"
        return basis == .recordedPrice ? "the recorded \(price)" : price
    }

    /// Whether the amount grows with the days.
    var isOverTime: Bool { interval != nil }

    func count(ofDays days: Int) -> String { CalendarInterval(days: Int64(days)).inWords }

    /// The calculation of `charge` in words: `10 days at 9.99 USD per month`.
    func basis(ofDays days: Int) -> String {
        let count = count(ofDays: days)
        return isOverTime
            ? "\(count) at \(perUnit)" : "the whole price of \(inWords), after \(count)"
    }

    /// For example `9.99 USD per month`; without a period only the price.
    var perUnit: String { inWords + (interval.map { " per \($0.asUnit)" } ?? "") }

    private func money(times factor: Int128, over divisor: Int128) -> Money? {
        let common = Self.commonDivisor(factor, divisor)
        let power = Int128.ten(to: currency.decimals)
        guard let numerator = amount.digits.times(factor / common)?.times(power),
            let denominator = (divisor / common).times(Int128.ten(to: amount.decimals))
        else { return nil }
        return Money(minorUnits: numerator.dividedHalfEven(by: denominator), in: currency)
    }

    private static func commonDivisor(_ left: Int128, _ right: Int128) -> Int128 {
        right == 0 ? max(left, 1) : commonDivisor(right, left % right)
    }
}
