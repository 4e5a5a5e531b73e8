/// An earlier nightly run, by the numbers of its summary.
package struct EarlierNight: Hashable, Sendable {
    package var run: RunID
    package var asOf: Instant
    package var status: RunSummary.Status
    package var findings: Int
    package var money: MoneyTally
}

/// The refunds and expirations that a run records for one day in California.
package struct EventDay: Hashable, Sendable {
    /// Midnight at its start.
    package var day: Instant
    package var refunds: Int
    package var expirations: Int
}
