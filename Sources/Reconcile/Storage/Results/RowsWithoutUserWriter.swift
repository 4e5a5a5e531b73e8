internal import SQL

/// Records the stored rows without a user. There may be millions, and nothing has to be decided
/// about them, so the database copies them from the views to the results, in one transaction: a
/// worker that is killed leaves none of them, and the next one records them all.
struct RowsWithoutUserWriter: Sendable {
    let session: DatabaseSession

    enum Ending: Equatable, Sendable {
        case recorded(RowsWithoutUser)
        /// Another worker has leased the batch, or the run has ended.
        case leaseLost
        /// Another session has locked the views for longer than `lockWait`.
        case viewsLocked
    }

    /// Records the rows, and marks `batch` as done. Cancelling the task aborts it.
    func record(_ batch: Batch, of run: Run) async throws(DatabaseError) -> Ending {
        return try await session.copyViews { connection in
            let parameters = [run.id.text, String(batch.number), String(batch.lease)]
            let completed = try connection.query(
                PostgresStatement(SQL.completeBatch), parameters
            ) { row in (wasDone: try row.bool("was_done"), runNumber: try row.int("run_no")) }
            guard let held = completed.first else { return .leaseLost }
            // An earlier attempt took effect: the connection was lost after COMMIT.
            if held.wasDone {
                return .recorded(try recordedRows(of: batch, in: run, on: connection))
            }
            return .recorded(try copyRows(of: batch, in: run, as: held.runNumber, on: connection))
        } ?? .viewsLocked
    }

    private func copyRows(
        of batch: Batch, in run: Run, as runNumber: Int,
        on connection: isolated PostgresConnection
    ) throws -> RowsWithoutUser {
        let receipts = try connection.query(
            ResultTables.outcomes.columns(in: SQL.recordReceiptsWithoutUser),
            [run.id.text, run.detailOfInvalidReceipts]
        ) { row in try row.int("receipts") }
        let entitlements = try connection.query(
            ResultTables.notReported.columns(in: SQL.recordEntitlementsWithoutUser), [run.id.text]
        ) { row in try row.int("entitlements") }
        let rows = RowsWithoutUser(
            receipts: receipts.first ?? 0, entitlements: entitlements.first ?? 0)
        try connection.copyIn(
            [(batch: batch, user: Reference(JudgedUser(rows)))], to: ResultTables.userResults,
            of: RecordedRun(id: run.id, number: runNumber))
        return rows
    }

    private func recordedRows(
        of batch: Batch, in run: Run, on connection: isolated PostgresConnection
    ) throws -> RowsWithoutUser {
        let rows = try connection.query(
            PostgresStatement(SQL.findRowsWithoutUser), [run.id.text, String(batch.number)]
        ) { row in
            RowsWithoutUser(
                receipts: try row.int("receipts"), entitlements: try row.int("entitlements"))
        }
        return rows.first ?? RowsWithoutUser()
    }
}
