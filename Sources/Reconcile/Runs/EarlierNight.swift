struct EarlierNight: Hashable, Sendable {
    var run: RunID
    var asOf: Instant
    var status: RunSummary.Status
    var findings: Int
    var money: MoneyTally
}

/// The refunds and expirations that a run records for one day in California.
struct EventDay: Hashable, Sendable {
    /// That date, as midnight in UTC.
    var day: Instant
    var refunds: Int
    var expirations: Int
}
