/// What the rows of a run's reports have in common.
package struct ReportingRun: Sendable {
    package let id: String
    package let asOf: Instant
    /// The column `scope`: nil for a nightly run over everything.
    package let scope: String?

    package init(id: String, asOf: Instant, scope: String?) {
        self.id = id
        self.asOf = asOf
        self.scope = scope
    }
}
