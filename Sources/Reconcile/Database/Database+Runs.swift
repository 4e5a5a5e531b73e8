internal import SQL

/// How a run ended. Raw values are the column `state`.
package enum RunEnding: String, Sendable {
    case published, failed, abandoned
}

extension Database {
    /// Takes the lock of the run, or throws `locked`, naming who has it as far as it may be seen.
    /// Held until `close` or the end of the process.
    package func lock() async throws(DatabaseError) {
        let isOurs = try await endure(touching: .tables) { () async throws(PostgresError) in
            try await runLock.acquire()
        }
        guard !isOurs else { return }
        throw DatabaseError(
            .locked(by: try await lockHolder() ?? "one that has just ended"),
            statement: SQL.tryRunLock.name)
    }

    /// The session that has the run lock, as far as it may be seen; nil when the lock is free.
    func lockHolder() async throws(DatabaseError) -> String? {
        try await query(SQL.findLockHolder) { row throws(PostgresError) in
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

    /// Begins `run`. Earlier, unfinished runs are given up; returns them. `settings` is JSON,
    /// without secrets.
    ///
    /// The worker enlists before, so that its run never seems to be without a living worker.
    package func open(
        _ run: Run, codeVersion: String, settings: String, keeping evidence: Evidence = .none
    ) async throws(DatabaseError) -> [RunID] {
        let abandoned = try await query(
            SQL.openRun,
            [run.id.text, run.asOf.timestamptz] + run.scope.parameters
                + [
                    settings, String(Run.rulesVersion), codeVersion, run.replayOf?.text,
                    evidence.rawValue,
                ]
        ) { row throws(PostgresError) in RunID(text: try row.text("run_id")) }
        _ = try await query(SQL.forgetDeadRuns) { _ in }
        return abandoned
    }

    /// Ends an open run; throws `notOpen` when it has had another end, another worker publishes it,
    /// or it has failed and others go on.
    /// - Parameter publication: the fencing number under which it was published.
    package func finish(
        _ run: RunID, as ending: RunEnding, at finishedAt: Instant, under publication: Int? = nil
    ) async throws(DatabaseError) {
        let parameters = [
            run.text, ending.rawValue, finishedAt.timestamptz, publication.map { String($0) },
            await runLock.worker.map { String($0) },
        ]
        let finished = try await query(SQL.finishRun, parameters) { row throws(PostgresError) in
            try row.text("run_id")
        }
        guard finished.count == 1 else {
            throw DatabaseError(
                .notOpen("The run \(run) is no longer open"), statement: SQL.finishRun.name)
        }
    }

    /// Makes `worker` the publisher of `run`; nil while another worker that is alive is.
    /// - Returns: the fencing number of the publication.
    package func claimPublication(of run: RunID, for worker: Int) async throws(DatabaseError)
        -> Int?
    {
        try await query(SQL.claimPublication, [run.text, String(worker)]) {
            row throws(PostgresError) in try row.int("publication_no")
        }.first
    }

    /// Throws `notOpen` unless `worker` is still the publisher of `run`.
    package func requirePublication(
        _ publication: Int, of run: RunID, for worker: Int
    ) async throws(DatabaseError) {
        let parameters = [run.text, String(worker), String(publication)]
        let isHeld = try await query(SQL.holdsPublication, parameters) {
            row throws(PostgresError) in try row.bool("is_held")
        }
        guard isHeld == [true] else {
            throw DatabaseError(
                .notOpen("Another worker publishes the run \(run)"),
                statement: SQL.holdsPublication.name)
        }
    }
}

extension RunScope {
    /// Users at most, users and receipts, each null where the scope has none.
    var parameters: [String?] {
        switch self {
        case .everything: [nil, nil, nil]
        case .limited(let count): [String(count), nil, nil]
        case .selected(let users, let receipts):
            [nil, PostgresArray.text(users.map(\.text)), PostgresArray.text(receipts.map(\.text))]
        }
    }
}
