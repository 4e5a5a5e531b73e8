internal import SQL

/// A connected database: the team's five views and the job's own tables, in schema `reconcile`. Its
/// stores share the connections.
///
/// Every method of a store throws `DatabaseError`. Cancelling the task aborts reads of the views,
/// but not writes, so that results are saved.
package struct Database: Sendable {
    let session: DatabaseSession

    /// Connects with up to `connections` connections, and one more for the run lock.
    /// - Parameter retry: how long it and every statement wait for the database; nil: not at all.
    static func connect(_ conninfo: String, connections: Int, retry: DatabaseRetry? = nil)
        async throws(DatabaseError) -> Database
    {
        let silence = SilenceWatch()
        let pool = PostgresPool(
            conninfo, session: .own, limit: connections, silence: silence)
        let runLock = RunLock(conninfo, session: .own, silence: silence)
        var database = Database(
            session: DatabaseSession(pool: pool, runLock: runLock, silence: silence))
        if let retry { database = database.with(retry: retry) }
        try await database.session.retrying { try await pool.withConnection { _ in } }
        return database
    }

    /// Connects, calls `body` and closes the database, also after an error.
    package static func lend<T: Sendable>(
        _ conninfo: String, connections: Int, retry: DatabaseRetry? = nil,
        to body: (Database) async throws -> T
    ) async throws -> T {
        let database = try await connect(conninfo, connections: connections, retry: retry)
        do {
            let result = try await body(database)
            await database.close()
            return result
        } catch {
            await database.close()
            throw error
        }
    }

    func close() async {
        await session.runLock.release()
        await session.pool.close()
    }

    package func with(retry: DatabaseRetry) -> Database {
        var session = session
        session.retry = retry
        session.silence.set(limit: retry.silenceLimit)
        return Database(session: session)
    }

    /// The same database, where the optional views `missing` count as empty.
    package func lacking(_ missing: [String]) -> Database {
        var session = session
        session.missingViews = Set(missing)
        return Database(session: session)
    }

    /// Calls `body`, which has several statements, and starts it again when the database fails.
    package func retrying<T>(_ body: () async throws -> T) async throws -> T {
        try await session.repeating(body)
    }
}

// MARK: Stores

extension Database {
    package var storedReceipts: StoredReceiptReader { StoredReceiptReader(session: session) }
    package var keptReceipts: KeptReceiptStore { KeptReceiptStore(session: session) }
    package var runs: RunStore { RunStore(session: session) }
    package var planner: BatchPlanner { BatchPlanner(session: session) }
    package var workers: WorkerStore { WorkerStore(session: session) }
    var leases: LeaseStore { LeaseStore(session: session) }
    var batches: BatchReader { BatchReader(session: session) }
    var secondLook: SecondLookStore { SecondLookStore(session: session) }
    package var signOffs: SignOffStore { SignOffStore(session: session) }
    var sweeps: SweepStore { SweepStore(session: session) }
    var stoppedApps: StoppedAppStore { StoppedAppStore(session: session) }
    var results: ResultWriter { ResultWriter(session: session) }
    var pastPurchases: PastPurchaseReader { PastPurchaseReader(session: session) }
    var rowsWithoutUser: RowsWithoutUserWriter { RowsWithoutUserWriter(session: session) }
    package var evidence: EvidenceStore { EvidenceStore(session: session) }
    var ledger: LedgerStore { LedgerStore(session: session) }
    package var history: HistoryStore { HistoryStore(session: session, ledger: ledger) }
    package var acceptances: AcceptanceStore { AcceptanceStore(session: session) }
    package var reports: ReportReader { ReportReader(session: session) }
    package var figures: FigureStore { FigureStore(session: session) }
    package var knownRuns: RunReader { RunReader(session: session) }
    package var knownFindings: FindingReader { FindingReader(session: session) }
    package var keptAnswers: EvidenceReader { EvidenceReader(session: session) }
    package var customers: CustomerReader { CustomerReader(session: session) }
    package var periods: PeriodReader { PeriodReader(session: session) }
    package var units: UnitsReader { UnitsReader(session: session) }
    var money: MoneyReader { MoneyReader(session: session) }
    var facts: FactReader { FactReader(session: session) }
    package var rates: RateStore { RateStore(session: session) }
    package var views: ViewStore { ViewStore(session: session) }
    package var survey: SurveyStore { SurveyStore(session: session) }
    package var catalog: CatalogReader { CatalogReader(session: session) }
    package var privileges: PrivilegeStore { PrivilegeStore(session: session) }
    package var schema: SchemaStore { SchemaStore(session: session) }
    package var pruning: PruneStore { PruneStore(session: session) }
    package var validations: ValidationStore { ValidationStore(session: session) }
    package var referenceApp: ReferenceAppStore { ReferenceAppStore(session: session) }

    package func differences(between old: RunID, and new: RunID) -> FindingDifferences {
        FindingDifferences(session: session, old: old, new: new)
    }
}
