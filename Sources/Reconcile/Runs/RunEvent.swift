/// An event of a run. The log, the metrics and the progress line are made from these.
package enum RunEvent: Sendable {
    case started(Run, receipts: Int, users: Int)
    case abandoned(RunID)
    /// An unfinished run was resumed. `batchesDone` were done before.
    case resumed(Run, batchesDone: Int, batches: Int)
    case joined(Run)
    case databaseIsOut(String)
    case databaseIsBack
    case progressed(Progress)
    /// A stored row cannot be judged, for example because of a null.
    case skippedRow(view: String, id: String?, why: String)
    /// Further such rows, without an event of their own.
    case skippedMoreRows(Int)
    case rowsWithoutUser(RowsWithoutUser)
    case warning(String)
    case serving(socket: String)
    case pace(PaceChange)
    case requested(RequestLine)
    /// Users with refused receipts get a second look, together with controls.
    case secondLook(users: Int, groups: Int)
    /// Apple refused a receipt that it verified earlier in the run: no refusal is trusted now.
    case controlRefused(ReceiptID)
    /// The rows of the views are implausible: the run will be held.
    case implausible(HeldReason)
    case pruned(runs: Int)
    case removedReports(folders: Int)
    case published(Summary, folder: String)
}

extension RunEvent {
    package struct Progress: Hashable, Sendable {
        var receiptsDone: Int
        var receiptsInScope: Int
        var findings: Int
        var requestsSent: Int
        var inFlight: Int
        var elapsed: Duration
    }

    static func setAside(_ batch: Batch) -> RunEvent {
        .warning(
            "Skipped batch \(batch.number): \(batch.attempts) attempts in a row ended before a user"
                + " was recorded. The receipts of its other users are unverified (batch_set_aside)."
                + " Find out what ended the workers, for example lack of memory.")
    }

    static func short(_ batch: Batch, found: ViewCounts) -> RunEvent {
        .warning(
            "Batch \(batch.number) has \(found.inWords), but had \(batch.planned.inWords) when the"
                + " run was cut. When the run closes, all are counted again, and if too many are"
                + " missing a run over everything is held. Find out what changed the rows below the"
                + " views meanwhile.")
    }

    static func differs(
        _ difference: StatusAgreement.Difference, for user: UserID?
    ) -> RunEvent {
        .warning(
            "Apple gives subscription \(difference.chain) of user \(user?.text ?? "") the status"
                + " \(difference.status), but by its transactions it is"
                + " \(difference.state.rawValue). `explain --transaction \(difference.chain)` shows"
                + " them; report it if the transactions are right.")
    }

    static func skipped(_ row: InvalidStoredEntitlement) -> RunEvent {
        .skippedRow(
            view: "stored_entitlements", id: row.id.map(\.text),
            why: "null in \(row.missing.joined(separator: ", "))")
    }

    static func skipped(_ row: InvalidStoredReceipt) -> RunEvent {
        .skippedRow(
            view: "stored_receipts", id: row.id.map(\.text),
            why: "null in a required column")
    }
}
