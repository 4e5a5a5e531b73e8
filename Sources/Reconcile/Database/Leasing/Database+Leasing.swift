internal import SQL

/// How far a run is, as one of its workers asks.
package struct RunStanding: Equatable, Sendable {
    package enum State: String, Sendable { case open, published, failed, abandoned }

    package let state: State
    /// Batches that are neither done nor held by the worker that asks.
    package let batchesElsewhere: Int
}

extension Database {
    /// Unless it is renewed, a lease is over after this time.
    static let leaseSeconds = 60

    /// Makes this process a worker of `run`, under a name for people; returns its number.
    package func enlist(in run: RunID, as name: String) async throws(DatabaseError) -> Int {
        try await endure(touching: .tables) { () async throws(PostgresError) in
            try await runLock.enlist(in: run, as: name)
        }
    }

    /// Takes what this process holds again, if the connection that it lives on has broken; and the
    /// lock of the run when nobody has it.
    package func keepLock() async {
        do throws(PostgresError) {
            try await runLock.check()
        } catch {
            // Out of reach. The next check will tell.
        }
    }

    /// Whether this process has the lock of the run; takes it when nobody has.
    package func hasLock() async throws(DatabaseError) -> Bool {
        try await endure(touching: .tables) { () async throws(PostgresError) in
            try await runLock.acquire()
        }
    }

    /// Leases the next batch for `worker`; nil when none is free.
    /// - Parameter held: the batches that it holds already. Another that is in its name is one
    ///   whose lease got lost on the way to it.
    package func leaseBatch(of run: RunID, for worker: Int, besides held: [Int])
        async throws(DatabaseError) -> Batch?
    {
        let parameters = [
            run.text, String(worker), String(Self.leaseSeconds), PostgresArray.integers(held),
        ]
        return try await query(SQL.leaseBatch, parameters) { row throws(PostgresError) in
            let (first, last): (UserID?, UserID?) = (row.optionalID(1), row.optionalID(2))
            var users: ClosedUserRange?
            if let first, let last { users = ClosedUserRange(first: first, last: last) }
            return Batch(
                number: try row.int(0), users: users, lease: try row.int(3),
                attempts: try row.int(4))
        }.first
    }

    /// Gives back what `worker` holds and has not done.
    package func releaseLeases(of run: RunID, for worker: Int) async throws(DatabaseError) {
        _ = try await query(SQL.releaseLeases, [run.text, String(worker)]) { _ in }
    }

    /// Frees what workers hold whose session is gone; returns how many batches.
    package func freeLostLeases(of run: RunID, besides worker: Int)
        async throws(DatabaseError) -> Int
    {
        try await query(SQL.freeLostLeases, [run.text, String(worker)]) {
            row throws(PostgresError) in try row.int(0)
        }.first ?? 0
    }

    package func standing(of run: RunID, for worker: Int)
        async throws(DatabaseError) -> RunStanding
    {
        let standings = try await query(SQL.runProgress, [run.text, String(worker)]) {
            row throws(PostgresError) in
            RunStanding(state: try row.word(0), batchesElsewhere: try row.int(1))
        }
        guard let standing = standings.first else {
            throw DatabaseError(
                .notOpen("The run \(run) is no longer there"), statement: SQL.runProgress.name)
        }
        return standing
    }

    /// Renews the leases of `batches` and records what answers came for them, in one transaction.
    /// What was leased anew by somebody else is left out, its answers too.
    /// - Returns: the numbers of the batches that are still ours.
    package func renew(
        _ batches: [Batch], recording answers: [Int: [RecordedAnswer]], of run: RunID
    ) async throws(DatabaseError) -> Set<Int> {
        guard !batches.isEmpty else { return [] }
        let parameters = [
            run.text, PostgresArray.integers(batches.map(\.number)),
            PostgresArray.integers(batches.map(\.lease)),
            "{"
                + batches.map { answers[$0.number]?.isEmpty == false ? "t" : "f" }
                .joined(separator: ",") + "}",
            String(Self.leaseSeconds),
        ]
        return try await endure(touching: .tables) { () async throws(PostgresError) in
            try await pool.transactionAtOnce { connection throws(PostgresError) in
                let ours = Set(
                    try connection.query(PostgresStatement(SQL.renewLeases), parameters) {
                        row throws(PostgresError) in try row.int(0)
                    })
                let kept = batches.filter { ours.contains($0.number) }
                try connection.copy(answers, of: kept, run)
                return ours
            }
        }
    }
}
