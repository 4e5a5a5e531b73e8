package struct JudgingSettings: Hashable, Sendable {
    var asOf: Instant
    /// A finding whose cause is more recent is settling: Apple and the service need time to agree.
    var settle: Duration
    /// How far a stored expiry may differ from Apple's.
    var tolerance: Duration
    var eventHorizon: Duration
    /// Whether renewals, refunds and expiries after a receipt was made are known: not with
    /// `--offline`.
    var knowsLaterFacts: Bool
    /// The days whose units are counted; nil: none.
    var units: UnitWindow?

    package init(
        asOf: Instant, settle: Duration = .seconds(86_400), tolerance: Duration = .seconds(60),
        eventHorizon: Duration = .seconds(90 * 86_400), knowsLaterFacts: Bool = true,
        units: UnitWindow? = nil
    ) {
        self.asOf = asOf
        self.settle = settle
        self.tolerance = tolerance
        self.eventHorizon = eventHorizon
        self.knowsLaterFacts = knowsLaterFacts
        self.units = units
    }

    /// Whether a finding with this cause is settling; never without a cause.
    func isSettling(_ cause: Instant?) -> Bool { cause.map { $0 > asOf - settle } ?? false }

    func isReportable(eventAt: Instant) -> Bool { eventAt >= asOf - eventHorizon }
}
