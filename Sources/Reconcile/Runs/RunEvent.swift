/// Everything that an observer of a run may see: the log, the metrics and the progress line are
/// all made from these.
package enum RunEvent: Sendable {
    case started(Run, receipts: Int, users: Int)
    /// An earlier run that did not end was given up.
    case abandoned(RunID)
    /// A run that did not end is gone on with: so many of its batches were done.
    case resumed(Run, batchesDone: Int, batches: Int)
    /// This process works beside others on a run.
    case joined(Run)
    /// The database cannot be reached; the run waits for it.
    case databaseIsOut(String)
    case databaseIsBack
    /// So many receipts now have an outcome.
    case progressed(RunProgress)
    /// A stored row that cannot be judged, for example for a null.
    case skippedRow(view: String, id: String?, why: String)
    case warning(String)
    /// Apple is asked in another way than before.
    case pace(PaceChange)
    case published(RunSummary, folder: String)
}

/// How far a run is.
package struct RunProgress: Hashable, Sendable {
    package var receiptsDone: Int
    package var receiptsInScope: Int
    package var findings: Int
    package var requestsSent: Int
    package var inFlight: Int
    package var elapsed: Duration

    package init(
        receiptsDone: Int, receiptsInScope: Int, findings: Int, requestsSent: Int, inFlight: Int,
        elapsed: Duration
    ) {
        (self.receiptsDone, self.receiptsInScope) = (receiptsDone, receiptsInScope)
        (self.findings, self.requestsSent) = (findings, requestsSent)
        (self.inFlight, self.elapsed) = (inFlight, elapsed)
    }
}
