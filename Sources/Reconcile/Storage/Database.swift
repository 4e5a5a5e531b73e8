internal import SQL

/// The team's five views, which the job reads, and the job's own tables, in schema `reconcile`:
/// connected once, and read and written through stores that share its connections.
///
/// Every method of a store throws `DatabaseError`. Reads of the views are given up when the task is
/// cancelled; writes are finished, so that what a run knows is not lost.
package struct Database: Sendable {
    let session: DatabaseSession

    /// Connects, and holds up to `connections` connections (and one more for the run lock).
    ///
    /// `conninfo` is what libpq takes: a URI, `key=value` pairs, or empty for the `PG…` variables.
    package static func connect(_ conninfo: String, connections: Int)
        async throws(DatabaseError) -> Database
    {
        let preparation = PostgresStatement(SQL.prepareSession)
        let silence = SilenceWatch()
        let pool = PostgresPool(
            conninfo, session: preparation, limit: connections, silence: silence)
        do throws(PostgresError) {
            try await pool.withConnection { _ in }
        } catch {
            throw DatabaseError(error, touching: .tables)
        }
        let runLock = RunLock(conninfo, session: preparation, silence: silence)
        return Database(
            session: DatabaseSession(pool: pool, runLock: runLock, silence: silence))
    }

    /// Connects, lends the database to `body`, and closes it whatever comes of that.
    package static func lend<T: Sendable>(
        _ conninfo: String, connections: Int, to body: (Database) async throws -> T
    ) async throws -> T {
        let database = try await connect(conninfo, connections: connections)
        do {
            let result = try await body(database)
            await database.close()
            return result
        } catch {
            await database.close()
            throw error
        }
    }

    /// Closes every connection; the run lock goes with its own.
    package func close() async {
        await session.runLock.release()
        await session.pool.close()
    }

    /// The same database, whose statements are retried as `retry` says.
    package func retrying(_ retry: DatabaseRetry) -> Database {
        var session = session
        session.retry = retry
        session.silence.set(limit: retry.silenceLimit)
        return Database(session: session)
    }

    /// The same database, in which the optional views `missing` count as empty.
    package func lacking(_ missing: [String]) -> Database {
        var session = session
        session.missingViews = Set(missing)
        return Database(session: session)
    }

    /// Does `body`, which is more than one statement, a report for example, and begins it anew when
    /// the database fails.
    package func retrying<T>(_ body: () async throws -> T) async throws -> T {
        try await session.retrying(body)
    }
}

// MARK: Stores

extension Database {
    /// One stored receipt.
    package var storedReceipts: StoredReceiptReader { StoredReceiptReader(session: session) }
    /// Receipts that Apple signed as it answered.
    package var keptReceipts: KeptReceiptStore { KeptReceiptStore(session: session) }
    /// Runs from their opening to their end.
    package var runs: RunStore { RunStore(session: session) }
    /// The batches into which a run's users are cut.
    package var planner: BatchPlanner { BatchPlanner(session: session) }
    /// The workers of runs, and the lock of runs over everything.
    package var workers: WorkerStore { WorkerStore(session: session) }
    /// Leases of batches.
    package var leases: LeaseStore { LeaseStore(session: session) }
    /// The stored rows of a batch's users.
    package var batches: BatchReader { BatchReader(session: session) }
    /// Users who were put off to the second look, and controls.
    package var secondLook: SecondLookStore { SecondLookStore(session: session) }
    /// The results of judged users.
    package var results: ResultWriter { ResultWriter(session: session) }
    /// Answers of Apple's that runs kept.
    package var evidence: EvidenceStore { EvidenceStore(session: session) }
    /// What earlier runs over everything left.
    package var ledger: LedgerStore { LedgerStore(session: session) }
    /// Taking published runs out of history, and making held ones count.
    package var history: HistoryStore { HistoryStore(session: session, ledger: ledger) }
    /// Findings that an operator has accepted.
    package var acceptances: AcceptanceStore { AcceptanceStore(session: session) }
    /// The rows and totals of reports.
    package var reports: ReportReader { ReportReader(session: session) }
    /// How the runs over everything stand.
    package var nights: NightStore { NightStore(session: session) }
    /// Runs over everything in the numbers that are compared.
    package var figures: FigureStore { FigureStore(session: session) }
    /// Runs as their readers name and list them.
    package var knownRuns: RunReader { RunReader(session: session) }
    /// What runs have written down of one customer.
    package var customers: CustomerReader { CustomerReader(session: session) }
    /// The money of a run.
    package var money: MoneyReader { MoneyReader(session: session) }
    /// When a run was, and what else a reader of its reports asks.
    package var facts: FactReader { FactReader(session: session) }
    /// The rate limits that all workers share.
    package var rates: RateStore { RateStore(session: session) }
    /// The form of the team's views.
    package var views: ViewStore { ViewStore(session: session) }
    /// What the views show, in numbers.
    package var survey: SurveyStore { SurveyStore(session: session) }
    /// The team's products and apps.
    package var catalog: CatalogReader { CatalogReader(session: session) }
    /// What the connected role may do.
    package var privileges: PrivilegeStore { PrivilegeStore(session: session) }
    /// The job's own tables and role.
    package var schema: SchemaStore { SchemaStore(session: session) }
    /// Removing what ended runs left.
    package var pruning: PruneStore { PruneStore(session: session) }
    /// What the receipt validation service keeps.
    package var validations: ValidationStore { ValidationStore(session: session) }
    /// The tables of a small receipt service, for demonstrations.
    package var referenceApp: ReferenceAppStore { ReferenceAppStore(session: session) }

    /// The findings of two runs side by side.
    package func differences(between old: RunID, and new: RunID) -> FindingDifferences {
        FindingDifferences(session: session, old: old, new: new)
    }
}
