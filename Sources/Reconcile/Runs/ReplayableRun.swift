/// A published run with all answers kept, and its settings. A setting is nil when the release that
/// made the run did not store it.
package struct ReplayableRun: Hashable, Sendable {
    let run: Run
    let usersPerBatch: Int
    package let settle: Duration?
    package let tolerance: Duration?
    package let eventHorizon: Duration?
    /// The text of the flag `--max-unverified`.
    package let maxUnverified: String?
}
