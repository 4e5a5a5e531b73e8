/// The database no longer has the run, or not its batches: a failover, or a backup, undid its
/// beginning. A run must be opened again.
struct RunLost: Error, CustomStringConvertible {
    let run: RunID

    var description: String {
        "The database has lost the run \(run), as by a failover to a standby without the last"
            + " commits, or from a backup. A run is opened again."
    }
}

extension RunEvent {
    static let commitsAreLost = RunEvent.warning(
        "The database lost the last commits of this run, as by a failover to a standby that lags."
            + " Users who are not recorded are requested again. Nothing is to be done.")
}
