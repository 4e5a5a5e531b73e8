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
        try await session.execute(
            SQL.announceStoppedApp, parameters(receipts, in: run) + [cause.rawValue])
    }

    /// Whether the caller must ask about the app now.
    /// - Parameter pause: between two turns.
    func takeTurn(
        for receipts: AppReceipts, in run: RunID, every pause: Duration
    ) async throws(DatabaseError) -> Bool {
        let parameters = parameters(receipts, in: run) + [String(pause / .seconds(1))]
        return try await !session.query(SQL.takeAppTurn, parameters) { row in
            try row.text("bundle_id")
        }.isEmpty
    }

    /// - Parameter isAnswered: whether Apple answered otherwise than before.
    func recordTry(
        of receipts: AppReceipts, _ requests: RequestRecord, isAnswered: Bool, in run: RunID
    ) async throws(DatabaseError) {
        let counts = RequestCount.all(in: [requests])
        let result = [
            isAnswered ? "t" : "f", PostgresArray.text(counts.map(\.server.rawValue)),
            PostgresArray.nullable(counts.map { count in count.httpStatus.map { String($0) } }),
            PostgresArray.nullable(counts.map { count in count.status.map { String($0) } }),
            PostgresArray.integers(counts.map(\.requests)),
            PostgresArray.integers(counts.map(\.retries)),
        ]
        try await session.execute(SQL.recordAppTry, parameters(receipts, in: run) + result)
    }

    private func parameters(_ receipts: AppReceipts, in run: RunID) -> [String] {
        [run.text, receipts.bundle.text, receipts.areApples ? "t" : "f"]
    }
}
