/// A published run with all answers kept, and its settings. A setting is nil when the release that
/// made the run did not store it.
package struct ReplayableRun: Hashable, Sendable {
    package let run: Run
    package let usersPerBatch: Int
    package let settle: Duration?
    package let tolerance: Duration?
    package let eventHorizon: Duration?
    /// The text of the flag `--max-unverified`.
    package let maxUnverified: String?

    package init(
        run: Run, usersPerBatch: Int, settle: Duration?, tolerance: Duration?,
        eventHorizon: Duration?, maxUnverified: String?
    ) {
        self.run = run
        self.usersPerBatch = usersPerBatch
        self.maxUnverified = maxUnverified
        self.settle = settle
        self.tolerance = tolerance
        self.eventHorizon = eventHorizon
    }
}
