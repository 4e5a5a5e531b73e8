/// A published run whose answers are all kept, and the settings it was judged by, as far as its
/// release has noted them.
package struct ReplayableRun: Hashable, Sendable {
    package let run: Run
    package let usersPerBatch: Int
    package let settle: Duration?
    package let tolerance: Duration?
    package let eventHorizon: Duration?
    /// As `--max-unverified` was written.
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
