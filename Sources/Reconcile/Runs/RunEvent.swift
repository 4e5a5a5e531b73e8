/// Everything that an observer of a run may see: the log, the metrics and the progress line are
/// all made from these.
package enum RunEvent: Sendable {
    case started(Run, receipts: Int, users: Int)
    /// An earlier, unfinished run was given up.
    case abandoned(RunID)
    /// An unfinished run is resumed: so many of its batches were done.
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
    /// The receipt validation service takes requests.
    case serving(socket: String)
    /// Apple is asked in another way than before.
    case pace(PaceChange)
    /// One request was answered, or failed.
    case requested(RequestLine)
    /// Apple refused a receipt of each of these users: they are asked about again, among controls.
    case secondLook(users: Int, groups: Int)
    /// Apple refused a receipt that it verified earlier in the run: what it refuses is not
    /// believed.
    case controlRefused(ReceiptID)
    /// What the views show is implausible: the run will be held.
    case implausible(HeldReason)
    /// What so many old runs had learned and found was removed.
    case pruned(runs: Int)
    /// So many published folders were older than the nights that are kept, and were removed.
    case removedReports(folders: Int)
    case published(RunSummary, folder: String)
}

/// One request to Apple, for the log at level debug.
package struct RequestLine: Hashable, Sendable {
    package var receipt: ReceiptID?
    package var server: StoreEnvironment
    /// From 1, over both servers.
    package var attempt: Int
    package var httpStatus: Int?
    /// Apple's `status`.
    package var status: Int?
    package var duration: Duration
    /// Of the answer's body, decompressed.
    package var bytes: Int
    /// Apple's name for the request, which its support asks for.
    package var requestID: String?
    /// Why there was no answer.
    package var failure: String?
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
        self.receiptsDone = receiptsDone
        self.receiptsInScope = receiptsInScope
        self.findings = findings
        self.requestsSent = requestsSent
        self.inFlight = inFlight
        self.elapsed = elapsed
    }
}

extension RunEvent {
    static func setAside(_ batch: Batch) -> RunEvent {
        .warning(
            "Skipped batch \(batch.number): \(batch.attempts) attempts in a row ended before a user"
                + " was recorded. The receipts of its other users are unverified (batch_set_aside)."
                + " Find out what ended the workers, for example lack of memory.")
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
