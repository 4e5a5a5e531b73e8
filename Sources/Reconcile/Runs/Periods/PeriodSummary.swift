/// A period in figures: `summary.json` of its folder.
package struct PeriodSummary: Equatable, Sendable {
    /// What stood after a run.
    struct Standing: Equatable, Sendable {
        var run: RunID
        var asOf: Instant
        var findings = 0
        /// What the run itself did not report.
        var unjudged = 0
        /// Without sums of zero.
        var money = MoneyTally()
    }

    let period: FinancialPeriod
    let isOpen: Bool
    let runs: [RunID]
    let opening: Standing?
    let closing: Standing
    let events: PeriodTally
    /// Days of the period as of which no run is. Not in `summary.json`.
    private(set) var daysWithoutRun: [Instant] = []

    /// - Throws: `Unsummable` when a sum overflows.
    package init(
        _ period: FinancialPeriod, _ runs: PeriodRuns, _ movements: [Movement],
        _ events: PeriodTally
    ) throws(MoneyTally.Unsummable) {
        self.init(
            period, isOpen: runs.isOpen, runs: runs.inside.map(\.run),
            opening: try Standing(runs.opening, .opening, movements),
            closing: try Standing(runs.closing, .closing, movements), events)
        daysWithoutRun = runs.daysWithoutRun(in: period.days)
    }

    init(
        _ period: FinancialPeriod, isOpen: Bool, runs: [RunID], opening: Standing?,
        closing: Standing,
        _ events: PeriodTally
    ) {
        self.period = period
        self.isOpen = isOpen
        self.runs = runs
        self.opening = opening
        self.closing = closing
        self.events = events
    }

    var refundCount: Int { events.refunds.values.reduce(0) { $0 + $1.count } }

    /// What Apple refunded, by currency, without sums of zero.
    var refunded: [Money] {
        var sums: [Currency: Int128] = [:]
        for (group, refunds) in events.refunds {
            if let currency = group.currency { sums[currency, default: 0] += refunds.amount }
        }
        return sums.filter { $0.value != 0 }.map { Money(minorUnits: $0.value, in: $0.key) }
            .sorted { $0.currency < $1.currency }
    }
}

extension PeriodSummary.Standing {
    init(
        _ night: PeriodRuns.Night, _ flow: Movement.Flow, _ movements: [Movement]
    ) throws(MoneyTally.Unsummable) {
        self.init(run: night.run, asOf: night.asOf)
        for movement in movements {
            findings += movement.count(flow)
            unjudged +=
                flow == .opening ? movement.unjudgedAtOpening : movement.count(.unjudged)
            guard let bucket = MoneyTally.Bucket(rawValue: movement.line.direction.rawValue),
                let amount = movement.amount(flow), amount.minorUnits != 0,
                !movement.line.isAccepted
            else { continue }
            try money.add(amount, to: bucket)
        }
    }

    init?(
        _ night: PeriodRuns.Night?, _ flow: Movement.Flow, _ movements: [Movement]
    ) throws(MoneyTally.Unsummable) {
        guard let night else { return nil }
        try self.init(night, flow, movements)
    }
}
