internal import SQL

/// How a run ended. Raw values are the column `state`.
package enum RunEnding: String, Sendable {
    case published, failed, abandoned
}

extension Database {
    /// Takes the lock of the run, or throws `locked`, naming who has it as far as it may be seen.
    /// Held until `close` or the end of the process.
    package func lock() async throws(DatabaseError) {
        let isOurs: Bool
        do throws(PostgresError) {
            isOurs = try await runLock.acquire()
        } catch {
            throw DatabaseError(error, touching: .tables)
        }
        guard !isOurs else { return }
        let holders = try await query(SQL.findLockHolder) { row throws(PostgresError) in
            Self.holder(
                process: try row.int(0), application: row.optionalText(1),
                since: try row.optionalInstant(2), run: row.optionalText(3))
        }
        throw DatabaseError(
            .locked(by: holders.first ?? "one that has just ended"),
            statement: SQL.tryRunLock.name)
    }

    private static func holder(
        process: Int, application: String?, since: Instant?, run: String?
    ) -> String {
        [
            run.map { "run \($0)" }, "server process \(process)", application,
            since.map { "connected since \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// Begins `run`. Earlier runs that did not end are given up; returns them.
    /// `settings` is JSON, without secrets.
    package func open(_ run: Run, codeVersion: String, settings: String)
        async throws(DatabaseError) -> [RunID]
    {
        var limit: String?
        var (users, receipts): (String?, String?)
        switch run.scope {
        case .everything: break
        case .limited(let count): limit = String(count)
        case .selected(let named, let namedReceipts):
            users = PostgresArray.text(named.map(\.text))
            receipts = PostgresArray.text(namedReceipts.map(\.text))
        }
        let abandoned = try await query(
            SQL.openRun,
            [
                run.id.text, run.asOf.timestamptz, limit, users, receipts, settings,
                String(Run.rulesVersion), codeVersion,
            ]
        ) { row throws(PostgresError) in RunID(text: try row.text(0)) }
        _ = try await query(SQL.forgetDeadRuns) { _ in }
        return abandoned
    }

    /// Ends an open run; throws `notOpen` when it was not open any more.
    package func finish(_ run: RunID, as ending: RunEnding, at finishedAt: Instant)
        async throws(DatabaseError)
    {
        let parameters = [run.text, ending.rawValue, finishedAt.timestamptz]
        let finished = try await query(SQL.finishRun, parameters) { row throws(PostgresError) in
            try row.text(0)
        }
        guard finished.count == 1 else {
            throw DatabaseError(
                .notOpen("The run \(run) is no longer open"), statement: SQL.finishRun.name)
        }
    }
}
