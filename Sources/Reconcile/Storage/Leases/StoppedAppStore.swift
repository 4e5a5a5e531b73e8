internal import SQL

/// The stopped apps of a run, which all its workers together try once a minute.
struct StoppedAppStore: Sendable {
    let session: DatabaseSession

    /// The apps that a worker stopped and that Apple did not answer since, and why.
    func stopped(in run: RunID) async throws(DatabaseError) -> [BundleID: Unverified] {
        let rows = try await session.query(SQL.stoppedApps, [run.text]) { row in
            (
                bundle: BundleID(try row.text("bundle_id")),
                cause: try row.word("cause") as Unverified
            )
        }
        return Dictionary(rows.map { ($0.bundle, $0.cause) }) { first, _ in first }
    }

    func announce(
        _ bundle: BundleID, for cause: Unverified, in run: RunID
    ) async throws(DatabaseError) {
        try await session.execute(SQL.announceStoppedApp, [run.text, bundle.text, cause.rawValue])
    }

    /// Whether the caller must ask about the app now.
    /// - Parameter pause: between two turns.
    func takeTurn(
        for bundle: BundleID, in run: RunID, every pause: Duration
    ) async throws(DatabaseError) -> Bool {
        let parameters = [run.text, bundle.text, String(pause / .seconds(1))]
        return try await !session.query(SQL.takeAppTurn, parameters) { row in
            try row.text("bundle_id")
        }.isEmpty
    }

    /// - Parameter isAnswered: whether Apple answered otherwise than before.
    func recordTry(
        of bundle: BundleID, _ requests: RequestRecord, isAnswered: Bool, in run: RunID
    ) async throws(DatabaseError) {
        let parameters = [
            run.text, bundle.text, isAnswered ? "t" : "f", String(requests.production),
            String(requests.sandbox), String(requests.retries),
            PostgresArray.integers(requests.statuses),
            PostgresArray.integers(requests.httpStatuses),
        ]
        try await session.execute(SQL.recordAppTry, parameters)
    }
}
