/// Columns that are the same in all rows of a run's reports.
package struct ReportingRun: Sendable {
    package let id: String
    package let asOf: Instant
    /// The column `scope`: nil for a run over everything.
    package let scope: String?
}
