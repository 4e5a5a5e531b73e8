internal import SQL

/// The workers of runs, and the lock of runs over everything. A worker lives as long as the session
/// of its process, so that one that died is in nobody's way.
package struct WorkerStore: Sendable {
    let session: DatabaseSession

    /// Takes the lock of the run, or throws `locked`, naming who has it as far as it may be seen.
    /// Held until `close` or the end of the process.
    /// - Parameters:
    ///   - patience: how long to retry while another process has the lock.
    ///   - waits: called once, with the process that has the lock.
    package func lock(
        waiting patience: Duration = .zero, _ waits: (_ holder: String) -> Void = { _ in }
    ) async throws(DatabaseError) {
        let end = ContinuousClock.now + patience
        var hasTold = false
        while true {
            let isOurs = try await session.retrying(touching: .tables) {
                () async throws(PostgresError) in
                try await session.runLock.acquire()
            }
            guard !isOurs else { return }
            let holder = try await lockHolder() ?? "one that has just ended"
            guard ContinuousClock.now < end, !Task.isCancelled else {
                throw DatabaseError(.locked(by: holder), statement: SQL.tryRunLock.name)
            }
            if !hasTold { waits(holder) }
            hasTold = true
            do {
                try await Task.sleep(for: .milliseconds(500))
            } catch {
                // A stop: the lock is asked for once more, and given up.
            }
        }
    }

    /// The session that has the run lock, as far as it may be seen; nil when the lock is free.
    func lockHolder() async throws(DatabaseError) -> String? {
        try await session.query(SQL.findLockHolder) { row throws(PostgresError) in
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

    /// Makes this process a worker of `run`, under a name for people; returns its number.
    package func enlist(in run: RunID, as name: String) async throws(DatabaseError) -> Int {
        try await session.retrying(touching: .tables) { () async throws(PostgresError) in
            try await session.runLock.enlist(in: run, as: name)
        }
    }

    /// Takes what this process holds again, if the connection that it lives on has broken; and the
    /// lock of runs over everything when it is free and this is one.
    package func keepLock(ofRunOverEverything isNight: Bool) async {
        do throws(PostgresError) {
            try await session.runLock.check(isNight: isNight)
        } catch {
            // Out of reach. The next check will tell.
        }
    }

    /// Lets the other workers of a run know that `worker` has answers.
    package func noteAnswers(of worker: Int) async throws(DatabaseError) {
        try await session.execute(SQL.noteAnswers, [String(worker)])
    }

    /// Notes that `worker` waits for answers no longer, and tells whether others that are alive
    /// have had some within the last `time`.
    package func noteCutOff(
        of worker: Int, in run: RunID, within time: Duration
    ) async throws(DatabaseError) -> Bool {
        try await session.execute(SQL.noteCutOff, [String(worker)])
        let seconds = String(Double(time.inMilliseconds) / 1_000)
        let parameters = [run.text, String(worker), seconds]
        return try await session.query(SQL.countAnsweredWorkers, parameters) {
            row throws(PostgresError) in try row.int("workers")
        } != [0]
    }
}
