/// A refund, a family revocation or an expiration of a period, as a run told it.
package struct PeriodEvent: Equatable, Sendable {
    var row: ReportedFinding
    /// The run that told it, which may be later than the period.
    var run: RunID
    var asOf: Instant
    /// `as_of` of the first later run that told that Apple reversed it.
    var reversedAt: Instant?
    /// False for further rows about a refund that several users hold.
    var isCounted = true

    var finding: Finding { row.finding }
    var stamp: RowStamp { RowStamp(id: run.text, asOf: asOf, scope: nil) }

    var what: FindingKind.Event? { finding.kind.event }

    static let refundKinds = FindingKind.allCases.filter { $0.event == .refund }
    package static let kinds = Dictionary(
        grouping: FindingKind.allCases.filter { $0.isEvent && $0.event != .reversal }, by: \.file)
}
