/// A line of `totals`: the summed findings of one run in one group.
package struct FindingTotal: Hashable, Sendable {
    package struct Group: Hashable, Sendable {
        /// The day of `event_at` in UTC, as its midnight; nil without `event_at`.
        package var eventDay: Instant?
        /// The day of `event_at` in California, as midnight UTC.
        package var eventDayPacific: Instant?
        package var bundle: BundleID?
        package var product: ProductID?
        package var kind: FindingKind
        package var direction: Direction
        package var lifecycle: Lifecycle
        /// ISO 4217. Nil when the findings of the line have no amount.
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
    /// A decimal number with all decimals of the currency.
    package var amount: String?

    package init(_ group: Group, count: Int, amount: String?) {
        self.group = group
        self.count = count
        self.amount = amount
    }

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
