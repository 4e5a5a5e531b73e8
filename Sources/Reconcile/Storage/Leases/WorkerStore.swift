internal import SQL

/// The workers of runs, and the lock of runs over everything. A worker counts as alive as long as
/// its database session lives.
package struct WorkerStore: Sendable {
    let session: DatabaseSession

    /// Takes the run lock until `close` or the end of the process; retries for `patience`.
    /// - Parameter waits: called once, with the description of the holder.
    /// - Throws: `locked` with the holder.
    package func lock(
        waiting patience: Duration = .zero, _ waits: (_ holder: String) -> Void = { _ in }
    ) async throws(DatabaseError) {
        let end = ContinuousClock.now + patience
        var isReported = false
        while true {
            let isOurs = try await session.retrying {
                try await session.runLock.acquire()
            }
            guard !isOurs else { return }
            let holder = try await lockHolder() ?? "a process that has just ended"
            guard ContinuousClock.now < end, !Task.isCancelled else {
                throw DatabaseError(.locked(by: holder), statement: SQL.tryRunLock.name)
            }
            if !isReported { waits(holder) }
            isReported = true
            do {
                try await Task.sleep(for: .milliseconds(500))
            } catch {
                // Cancelled: one last attempt follows.
            }
        }
    }

    /// The session that holds the run lock, as far as the role may see it; nil when the lock is
    /// free.
    func lockHolder() async throws(DatabaseError) -> String? {
        try await session.query(SQL.findLockHolder) { row in
            Self.holder(
                process: try row.int("pid"), application: try row.optionalText("name"),
                since: try row.optionalInstant("since"), run: try row.optionalText("run_id"))
        }.first
    }

    private static func holder(
        process: Int, application: String?, since: Instant?, run: String?
    ) -> String {
        [
            run.map { "run \($0)" }, "server process \(process)", application,
            since.map { "connected since \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// Registers this process as a worker of `run`, or registers it anew, and begins the chain of
    /// its flushes.
    func register(in run: RunID, as name: String) async throws(DatabaseError) -> CommitChain {
        let worker = try await session.retrying {
            try await session.runLock.register(in: run, as: name)
        }
        let chain = CommitChain(worker: worker)
        let registered = RegisteredWorker(
            number: worker, run: run, name: name, lastFlush: chain.last)
        let table = RegisteredWorker.table
        _ = try await session.query(table.statement, table.parameters(of: registered)) { _ in }
        return chain
    }

    func keepLock(ofRunOverEverything makesHistory: Bool) async {
        do {
            try await session.runLock.check(makesHistory: makesHistory)
        } catch {
            // The next check retries.
        }
    }

    func recordAnswers(of worker: Int) async throws(DatabaseError) {
        try await session.execute(SQL.recordAnswers, [String(worker)])
    }

    func recordCutOff(of worker: Int) async throws(DatabaseError) {
        try await session.execute(SQL.recordCutOff, [String(worker)])
    }

    /// Marks the worker as leaving, unless it is the last live worker of the run that does not.
    /// - Returns: whether it may leave.
    func leave(_ worker: Int, in run: RunID) async throws(DatabaseError) -> Bool {
        try await session.transaction { connection in
            // The workers that leave at the same time do so one after the other.
            try await connection.execute(PostgresStatement(SQL.lockLeaving), [run.text])
            return try await connection.query(
                PostgresStatement(SQL.leaveToOthers), [run.text, String(worker)]
            ) { row in try row.int("worker_no") } != []
        }
    }

    /// Whether live workers other than `worker` got answers within the last `time`.
    func othersGotAnswers(
        excluding worker: Int, in run: RunID, within time: Duration
    ) async throws(DatabaseError) -> Bool {
        let seconds = String(Double(time.inMilliseconds) / 1_000)
        let parameters = [run.text, String(worker), seconds]
        return try await session.query(SQL.countAnsweredWorkers, parameters) {
            row in try row.int("workers")
        } != [0]
    }
}

/// A row of `reconcile.worker`.
struct RegisteredWorker: Sendable {
    let number: Int
    let run: RunID
    let name: String
    /// The number of the last flush in the worker's chain; 0 is in no chain.
    var lastFlush = 0

    static let table = InsertTable(SQL.registerWorker, columns)
    /// Of the statement that takes the worker's lock, too.
    static let lockedTable = InsertTable(SQL.lockWorker, columns)

    private static let columns = [
        TextColumn<RegisteredWorker>("worker_no") { String($0.number) },
        TextColumn("run_id") { $0.run.text },
        TextColumn("name") { $0.name },
        TextColumn("flush_no") { String($0.lastFlush) },
    ]
}
