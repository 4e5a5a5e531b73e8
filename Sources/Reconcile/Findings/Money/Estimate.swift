/// Amounts are estimates, never revenue: by the price that Apple recorded of a transaction, where
/// an answer has one, else by the list price.
struct Estimate: Hashable, Sendable {
    /// Why there is no amount. Raw values are keys in `summary.json`.
    enum NoAmount: String, Hashable, Sendable, CaseIterable {
        /// No usable price in the catalogue, or the product is not in the catalogue.
        case noPrice = "no_price"
        /// An introductory, promotional or offer-code period, whose price is unknown.
        case offerPeriod = "offer_period"
        case noCause = "no_cause"
        case accepted
        /// The amount is on another row: one amount per user and right, and one per refund.
        case countedElsewhere = "counted_elsewhere"
    }

    /// Of a user's findings on one right, only the first shows its amount. Nil: every finding does.
    var right: Right?
    /// Whole days from the cause to `as_of`. Nil for an event.
    var exposureDays: Int?
    var amount: Money?
    /// How the amount was calculated, for the explanation: `10 days at 9.99 USD per month`.
    var basis: String?
    var noAmount: NoAmount?
    /// What the amount was calculated from; nil without one.
    var amountBasis: AmountBasis?

    init(
        right: Right? = nil, exposureDays: Int? = nil, amount: Money? = nil, by price: Price? = nil,
        basis: String? = nil, noAmount: NoAmount? = nil
    ) {
        self.right = right
        self.exposureDays = exposureDays
        self.amount = amount
        self.basis = basis
        amountBasis = amount == nil ? nil : price?.basis
        self.noAmount = amount == nil ? noAmount ?? .noPrice : nil
    }
}

extension Estimate {
    /// The price over the time since the cause. A leak is priced by the row's product, a debt by
    /// the purchased one. Nil for a kind without money.
    init?(of finding: Finding, _ rowCase: RowCase) {
        guard finding.kind.money == .exposure else { return nil }
        let product =
            finding.direction == .owed ? rowCase.best?.product : rowCase.row?.product
        guard let product, let cause = finding.eventAt, cause.isFinite else {
            self.init(right: rowCase.right, noAmount: .noCause)
            return
        }
        let right = rowCase.user.catalog.right(of: product)
        let (span, overflows) = rowCase.user.settings.asOf.milliseconds
            .subtractingReportingOverflow(cause.milliseconds)
        guard !overflows else {
            self.init(right: right, noAmount: .noCause)
            return
        }
        let days = Int(max(0, span) / Instant.millisecondsPerDay)
        let kinds = rowCase.user.kinds
        let covering = rowCase.best?.covering
        guard covering?.isOfUnknownOwner != true else {
            self.init(right: right, exposureDays: days, noAmount: .noPrice)
            return
        }
        if let covering, covering.product == product,
            let recorded = Price(recordedOf: covering, kinds)
        {
            self.init(of: days, recorded, of: right, sharedBy: covering.familyShared)
            return
        }
        let price = kinds.catalog.products[product].flatMap(Price.init)
        // Without a grantor, only the row shows whether the purchase was shared by the family.
        let free =
            covering.map { $0.free }
            ?? (rowCase.row?.ownership == .familyShared ? Purchase.anotherMembers : nil)
        if let free {
            let basis = price.map { price in
                price.limited(days) { "\(price.count(ofDays: $0)) of \(free)" }
                    + " listed at \(price.perUnit)"
            }
            self.init(
                right: right, exposureDays: days, amount: price?.nothing, by: price, basis: basis)
        } else if covering?.isDiscounted == true {
            self.init(right: right, exposureDays: days, noAmount: .offerPeriod)
        } else if covering?.isMonthlyCommitment == true {
            self.init(right: right, exposureDays: days, noAmount: .noPrice)
        } else {
            self.init(of: days, price, of: right)
        }
    }

    /// - Parameter other: who bought it, where the customer did not.
    private init(
        of days: Int, _ price: Price?, of right: Right, sharedBy other: String? = nil
    ) {
        let amount =
            other == nil ? price?.charge(forDays: min(days, Price.mostDays)) : price?.nothing
        let basis = price.map { price in
            other.map { "\($0), recorded at \(price.inWords)" } ?? price.limited(days, price.basis)
        }
        self.init(right: right, exposureDays: days, amount: amount, by: price, basis: basis)
    }

    /// The estimate for a refund: of the price that Apple recorded, or of the whole list price, an
    /// upper bound, the part that was refunded.
    init(ofRefundOf purchase: Purchase, _ kinds: ProductKinds) {
        let listed = kinds.catalog.products[purchase.product].flatMap(Price.init)
        let part = purchase.sale?.revocationPercentage ?? 100_000
        let share = part == 100_000 ? "" : "\(part.asPercentage) of "
        if purchase.isOfUnknownOwner {
            self.init(noAmount: .noPrice)
        } else if let recorded = Price(recordedOf: purchase, kinds) {
            self.init(
                amount: recorded.part(part), by: recorded,
                basis: "\(share)\(recorded.inWords)")
        } else if let free = purchase.free {
            self.init(
                amount: listed?.nothing, by: listed,
                basis: listed.map { "\(free) listed at \($0.inWords)" })
        } else if purchase.isDiscounted {
            self.init(noAmount: .offerPeriod)
        } else {
            let times = purchase.quantity == 1 ? "" : "\(purchase.quantity) × "
            self.init(
                amount: listed?.part(part, times: purchase.quantity), by: listed,
                basis: listed.map { "\(share)\(times)the list price of \($0.inWords)" })
        }
    }
}

extension Int {
    /// Thousandths of a percent in words: 33333 is `33.333 %`.
    fileprivate var asPercentage: String {
        var fraction = String(String(100_000 + self).suffix(3))
        while fraction.last == "0" { fraction.removeLast() }
        return String(self / 1_000) + (fraction.isEmpty ? "" : ".\(fraction)") + " %"
    }
}

extension Price {
    /// A debt older than a year is not revenue any more.
    fileprivate static let mostDays = 365

    /// `words` of the days that count, after "at most" where there were more.
    fileprivate func limited(_ days: Int, _ words: (_ ofDays: Int) -> String) -> String {
        guard isOverTime, days > Self.mostDays else { return words(days) }
        return "at most " + words(Self.mostDays)
    }
}

extension Purchase {
    fileprivate static let anotherMembers = "another family member's purchase"

    fileprivate var familyShared: String? { isFamilyShared ? Self.anotherMembers : nil }

    fileprivate var free: String? { isTrial ? "a trial" : familyShared }

    /// Whether Apple names an owner of a kind that it added since: neither bought nor shared.
    fileprivate var isOfUnknownOwner: Bool { sale != nil && transaction.isOwnershipUnknown }

    fileprivate var isMonthlyCommitment: Bool { sale?.isMonthlyCommitment == true }
}

extension [ReportedFinding] {
    /// Writes one user's estimates into columns: of each right, the amount on the first row in
    /// report order that is not accepted and has one; otherwise the days on the first row.
    mutating func price() {
        let indices = indices.filter { self[$0].finding.estimate != nil }
            .sorted { self[$0].comesBefore(self[$1]) }
        var priced: Set<Right> = []
        for mustHaveAmount in [true, false] {
            for index in indices where self[index].lifecycle != .accepted {
                guard let estimate = self[index].finding.estimate,
                    (estimate.amount != nil) == mustHaveAmount
                else { continue }
                guard estimate.right.map({ priced.insert($0).inserted }) ?? true else {
                    self[index].noAmount = .countedElsewhere
                    continue
                }
                self[index].exposureDays = estimate.exposureDays
                self[index].estimatedAmount = estimate.amount?.text
                self[index].currency = estimate.amount?.currency.code
                self[index].amountBasis = estimate.amountBasis
                self[index].noAmount = estimate.noAmount
                self[index].finding.explain(estimate)
            }
        }
        for index in indices where self[index].lifecycle == .accepted {
            self[index].noAmount = .accepted
        }
    }
}

extension Finding {
    /// Appends `(estimate: 10 days at 9.99 USD per month = 3.33 USD)`, which the statement
    /// `count_refunds_once` removes together with the amount.
    fileprivate mutating func explain(_ estimate: Estimate) {
        guard let amount = estimate.amount, let basis = estimate.basis else { return }
        let sentence = explanation.hasSuffix(".") ? String(explanation.dropLast()) : explanation
        explanation =
            "\(sentence) (estimate: \(basis) = \(amount.text) \(amount.currency.code))."
    }
}
