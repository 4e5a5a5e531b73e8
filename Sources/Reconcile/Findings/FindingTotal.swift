package struct FindingTotal: Hashable, Sendable {
    struct Group: Hashable, Sendable {
        /// The day of `event_at` in UTC, as its midnight; nil without `event_at`.
        var eventDay: Instant?
        /// The day of `event_at` in California, as midnight UTC.
        var eventDayPacific: Instant?
        var bundle: BundleID?
        var product: ProductID?
        var kind: FindingKind
        var direction: Direction
        var lifecycle: Lifecycle
        /// ISO 4217. Nil when the findings of the line have no amount.
        var currency: String?
        var amountBasis: AmountBasis?
        var age: Age?
    }

    var group: Group
    var count: Int
    var amount: String?

    init(_ group: Group, count: Int, amount: String?) {
        self.group = group
        self.count = count
        self.amount = amount
    }

    var moneyBucket: MoneyTally.Bucket? { group.kind.moneyBucket(of: group.direction) }
}

extension FindingTotal.Group {
    init(_ row: ReportedFinding, asOf: Instant) {
        let finding = row.finding
        self.init(
            eventDay: finding.eventAt?.day, eventDayPacific: finding.eventAt?.pacificDay,
            bundle: finding.bundle, product: finding.productApple ?? finding.productStored,
            kind: finding.kind, direction: finding.direction, lifecycle: row.lifecycle,
            currency: row.currency, amountBasis: row.amountBasis,
            age: Age(of: finding, asOf: asOf))
    }
}
