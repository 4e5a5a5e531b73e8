/// What a finding may come to in money. Apple's answers carry no price: it is never more than an
/// estimate.
package struct Estimate: Hashable, Sendable {
    /// Why there is no amount. Raw values stand in `summary.json`.
    package enum NoAmount: String, Hashable, Sendable, CaseIterable {
        /// The catalogue has no usable price of the product, or it is not in the catalogue.
        case noPrice = "no_price"
        /// An introductory, promotional or offer-code period: its price is not known.
        case offerPeriod = "offer_period"
        /// It is not known since when it is so.
        case noCause = "no_cause"
        /// The finding is accepted.
        case accepted
        /// It stands on another row: one amount a user and right, and one a refund.
        case countedElsewhere = "counted_elsewhere"
    }

    /// Of one user's findings on one right only the first carries its amount. Nil: every one does.
    package var right: Right?
    /// Whole days from the cause to `as_of`. Nil for an event.
    package var exposureDays: Int?
    /// Nil without a price: never taken for zero.
    package var amount: Money?
    /// How the amount came about, for the explanation: `10 days at 9.99 USD per month`.
    package var basis: String?
    /// Nil where there is an amount.
    package var noAmount: NoAmount?

    package init(
        right: Right? = nil, exposureDays: Int? = nil, amount: Money? = nil,
        basis: String? = nil, noAmount: NoAmount? = nil
    ) {
        self.right = right
        self.exposureDays = exposureDays
        self.amount = amount
        self.basis = basis
        self.noAmount = amount == nil ? noAmount ?? .noPrice : nil
    }
}

extension Estimate {
    /// Of a finding of the first table: the price over the time since its cause. A leak is worth
    /// what the service gives away, a debt what the customer paid for. Nil for a kind that carries
    /// no money.
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
        let price = rowCase.user.catalog.products[product].flatMap(Price.init)
        // Where Apple shows nothing, the row's word is all that there is.
        let free =
            rowCase.best.map { $0.covering.free }
            ?? (rowCase.row?.ownership == .familyShared ? Purchase.familyShared : nil)
        if let free {
            let basis = "\(CalendarInterval(days: Int64(days)).inWords) of \(free)"
            self.init(right: right, exposureDays: days, amount: price?.nothing, basis: basis)
        } else if rowCase.best?.covering.isDiscounted == true {
            self.init(right: right, exposureDays: days, noAmount: .offerPeriod)
        } else {
            self.init(
                right: right, exposureDays: days, amount: price?.charge(forDays: days),
                basis: price?.basis(ofDays: days))
        }
    }

    /// Of a refund: the whole price of what was taken back, an upper bound.
    init(ofRefundOf purchase: Purchase, _ catalog: Catalog) {
        let price = catalog.products[purchase.product].flatMap(Price.init)
        if let free = purchase.free {
            self.init(amount: price?.nothing, basis: free)
        } else if purchase.isDiscounted {
            self.init(noAmount: .offerPeriod)
        } else {
            let times = purchase.quantity == 1 ? "" : "\(purchase.quantity) × "
            self.init(
                amount: price?.whole(times: purchase.quantity),
                basis: price.map { "\(times)the list price of \($0.inWords)" })
        }
    }
}

extension Purchase {
    fileprivate static let familyShared = "a purchase of another family member"

    /// Why the customer paid nothing, in words; nil: the purchase was paid for.
    fileprivate var free: String? {
        if isTrial { return "a trial" }
        return isFamilyShared ? Self.familyShared : nil
    }
}

extension [ReportedFinding] {
    /// Puts the estimates of one user's findings into their columns: one amount a right, on the
    /// first row that is not accepted and has one, in the order of the reports. Where no row has
    /// one, the first has its days.
    package mutating func price() {
        let places = indices.filter { self[$0].finding.estimate != nil }
            .sorted { self[$0].comesBefore(self[$1]) }
        var priced: Set<Right> = []
        for mustHaveAmount in [true, false] {
            for place in places where self[place].lifecycle != .accepted {
                guard let estimate = self[place].finding.estimate,
                    (estimate.amount != nil) == mustHaveAmount
                else { continue }
                guard estimate.right.map({ priced.insert($0).inserted }) ?? true else {
                    self[place].noAmount = .countedElsewhere
                    continue
                }
                self[place].exposureDays = estimate.exposureDays
                self[place].estimatedAmount = estimate.amount?.text
                self[place].currency = estimate.amount?.currency.code
                self[place].noAmount = estimate.noAmount
                self[place].finding.explain(estimate)
            }
        }
        for place in places where self[place].lifecycle == .accepted {
            self[place].noAmount = .accepted
        }
    }
}

extension Finding {
    /// Puts how the amount came about at the end of the sentence: `… (estimate: 10 days at 9.99 USD
    /// per month = 3.33 USD).` The statement `count_refunds_once` takes it away with the amount.
    fileprivate mutating func explain(_ estimate: Estimate) {
        guard let amount = estimate.amount, let basis = estimate.basis else { return }
        let sentence = explanation.hasSuffix(".") ? String(explanation.dropLast()) : explanation
        explanation =
            "\(sentence) (estimate: \(basis) = \(amount.text) \(amount.currency.code))."
    }
}
