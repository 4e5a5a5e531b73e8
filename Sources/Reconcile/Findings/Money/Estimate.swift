/// Apple's answers have no price, so all money is an estimate.
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

    init(
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
        let price = rowCase.user.catalog.products[product].flatMap(Price.init)
        // Without a grantor, only the row shows whether the purchase was shared by the family.
        let free =
            rowCase.best.map { $0.covering.free }
            ?? (rowCase.row?.ownership == .familyShared ? Purchase.familyShared : nil)
        if let free {
            let basis = price.map { price in
                price.limited(days) { "\(price.count(ofDays: $0)) of \(free)" }
                    + " listed at \(price.perUnit)"
            }
            self.init(right: right, exposureDays: days, amount: price?.nothing, basis: basis)
        } else if rowCase.best?.covering.isDiscounted == true {
            self.init(right: right, exposureDays: days, noAmount: .offerPeriod)
        } else {
            self.init(
                right: right, exposureDays: days,
                amount: price?.charge(forDays: min(days, Price.mostDays)),
                basis: price.map { $0.limited(days, $0.basis) })
        }
    }

    /// The estimate for a refund: the whole list price, an upper bound.
    init(ofRefundOf purchase: Purchase, _ catalog: Catalog) {
        let price = catalog.products[purchase.product].flatMap(Price.init)
        if let free = purchase.free {
            self.init(
                amount: price?.nothing, basis: price.map { "\(free) listed at \($0.inWords)" })
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
    fileprivate static let familyShared = "another family member's purchase"

    fileprivate var free: String? {
        if isTrial { return "a trial" }
        return isFamilyShared ? Self.familyShared : nil
    }
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
