internal import SQL

/// The stopped apps of a run, which all its workers together try once a minute.
struct StoppedAppStore: Sendable {
    let session: DatabaseSession

    /// The apps that a worker stopped and that Apple did not answer since, and why.
    func stopped(in run: RunID) async throws(DatabaseError) -> [AppReceipts: Unverified] {
        let rows = try await session.query(SQL.stoppedApps, [run.text]) { row in
            let receipts = AppReceipts(
                bundle: try row.id("bundle_id"),
                areApples: try row.bool("written_by_apple"))
            return (receipts, try row.word("cause") as Unverified)
        }
        return Dictionary(rows) { first, _ in first }
    }

    func announce(
        _ receipts: AppReceipts, for cause: Unverified, in run: RunID
    ) async throws(DatabaseError) {
        let parameters = Self.table.parameters(of: (run, receipts, cause))
        _ = try await session.query(Self.table.statement, parameters) { _ in }
    }

    private static let table = InsertTable<(run: RunID, receipts: AppReceipts, cause: Unverified)>(
        SQL.announceStoppedApp,
        [
            TextColumn("run_id") { $0.run.text },
            TextColumn("bundle_id") { $0.receipts.bundle.text },
            TextColumn("written_by_apple") { $0.receipts.areApples ? "t" : "f" },
            TextColumn("cause") { $0.cause.rawValue },
        ])

    /// Whether the caller must ask about the app now: no worker of the run has for `pause`.
    func claimTry(
        for receipts: AppReceipts, in run: RunID, every pause: Duration
    ) async throws(DatabaseError) -> Bool {
        let parameters = parameters(receipts, in: run) + [String(pause / .seconds(1))]
        return try await !session.query(SQL.claimAppTry, parameters) { row in
            try row.text("bundle_id")
        }.isEmpty
    }

    /// - Parameter isAnswered: whether Apple answered otherwise than before.
    func recordTry(
        of receipts: AppReceipts, _ requests: RequestRecord, isAnswered: Bool, in run: RunID
    ) async throws(DatabaseError) {
        let counts = RequestCount.all(in: [requests])
        let parameters =
            parameters(receipts, in: run) + [isAnswered ? "t" : "f"]
            + Self.requestCounts.arrays(of: counts)
        _ = try await session.query(Self.requestCounts.statement, parameters) { _ in }
    }

    private static let requestCounts = GivenRows(SQL.recordAppTry, RequestCount.columns)

    private func parameters(_ receipts: AppReceipts, in run: RunID) -> [String] {
        [run.text, receipts.bundle.text, receipts.areApples ? "t" : "f"]
    }
}
