/// Adds up the events of a period, row by row.
package struct PeriodTally: Equatable, Sendable {
    struct Group: Hashable, Sendable {
        var app: BundleID?
        var product: ProductID?
        /// Nil for refunds without an amount.
        var currency: Currency?
    }

    struct Refunds: Equatable, Sendable {
        var count = 0
        /// In minor units.
        var amount: Int128 = 0
        var reversedCount = 0
        var reversedAmount: Int128 = 0
    }

    var refunds: [Group: Refunds] = [:]
    private(set) var familyRevocations = 0
    private(set) var expirations: [String: Int] = [:]
    var withoutAmount: [String: Int] = [:]
    /// Refunds by the day in California.
    private(set) var refundsByDay: [Instant: Int] = [:]
    private(set) var bases: Set<AmountBasis> = []

    package init() {}

    package mutating func add(_ event: PeriodEvent) throws(MoneyTally.Unsummable) {
        let row = event.row
        switch event.what {
        case .expiry: expirations[event.finding.reason ?? Self.unknown, default: 0] += 1
        case .familyRevocation: familyRevocations += 1
        case _ where event.isCounted: try addRefund(event)
        default:
            guard row.estimatedAmount == nil else {
                throw MoneyTally.Unsummable(
                    what: "the refund of finding \(row.id) has an amount in two rows")
            }
        }
    }

    private mutating func addRefund(
        _ event: PeriodEvent
    ) throws(MoneyTally.Unsummable) {
        let row = event.row
        let currency = row.currency.flatMap(Currency.init)
        let amount = currency.flatMap { currency in
            row.estimatedAmount.flatMap { Money($0, in: currency) }
        }
        guard amount != nil || row.estimatedAmount == nil else {
            throw MoneyTally.Unsummable(what: "the amount of finding \(row.id) is none")
        }
        let group = Group(
            app: event.finding.bundle, product: event.finding.productApple,
            currency: amount?.currency)
        var refunds = refunds[group] ?? Refunds()
        refunds.count += 1
        refunds.amount += amount?.minorUnits ?? 0
        if event.reversedAt != nil {
            refunds.reversedCount += 1
            refunds.reversedAmount += amount?.minorUnits ?? 0
        }
        self.refunds[group] = refunds
        if amount == nil {
            withoutAmount[row.noAmount?.rawValue ?? Self.unknown, default: 0] += 1
        }
        if let basis = row.amountBasis { bases.insert(basis) }
        if let day = event.finding.eventAt?.pacificDay { refundsByDay[day, default: 0] += 1 }
    }

    static let unknown = "unknown"
}

extension PeriodTally.Group: Comparable {
    /// As UTF-8 bytes, empty cells first.
    static func < (left: Self, right: Self) -> Bool {
        for (own, other) in zip(left.names, right.names) where !own.hasSameBytes(as: other) {
            return own.bytesPrecede(other)
        }
        return false
    }

    private var names: [String] { [app?.text ?? "", product?.text ?? "", currency?.code ?? ""] }
}
