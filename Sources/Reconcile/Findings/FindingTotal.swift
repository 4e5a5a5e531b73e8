/// A line of `totals`: the findings of one run that have all of these in common, summed.
package struct FindingTotal: Hashable, Sendable {
    /// What the findings of a line have in common.
    package struct Group: Hashable, Sendable {
        /// The day of `event_at` in UTC, as its midnight; nil for findings without.
        package var eventDay: Instant?
        /// The day in California, likewise.
        package var eventDayPacific: Instant?
        package var bundle: BundleID?
        /// Apple's, else the stored one.
        package var product: ProductID?
        package var kind: FindingKind
        package var direction: Direction
        package var lifecycle: Lifecycle
        /// ISO 4217. Nil: the findings of this line have no amount.
        package var currency: String?

        package init(
            eventDay: Instant?, eventDayPacific: Instant?, bundle: BundleID?, product: ProductID?,
            kind: FindingKind, direction: Direction, lifecycle: Lifecycle, currency: String?
        ) {
            self.eventDay = eventDay
            self.eventDayPacific = eventDayPacific
            self.bundle = bundle
            self.product = product
            self.kind = kind
            self.direction = direction
            self.lifecycle = lifecycle
            self.currency = currency
        }
    }

    package var group: Group
    package var count: Int
    /// A decimal number with the currency's minor digits.
    package var amount: String?

    package init(_ group: Group, count: Int, amount: String?) {
        self.group = group
        self.count = count
        self.amount = amount
    }

    /// The sum of money to which the amount belongs.
    package var moneyBucket: MoneyTally.Bucket? { group.kind.moneyBucket(of: group.direction) }
}

extension FindingTotal.Group {
    package init(_ row: ReportedFinding) {
        let finding = row.finding
        self.init(
            eventDay: finding.eventAt?.day, eventDayPacific: finding.eventAt?.pacificDay,
            bundle: finding.bundle, product: finding.productApple ?? finding.productStored,
            kind: finding.kind, direction: finding.direction, lifecycle: row.lifecycle,
            currency: row.currency)
    }
}
