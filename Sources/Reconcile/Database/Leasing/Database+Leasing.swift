internal import SQL

/// How far a run is, as one of its workers asks.
package struct RunStanding: Equatable, Sendable {
    package enum State: String, Sendable { case open, published, failed, abandoned }

    package let state: State
    /// Batches of the first look that are neither done nor held by the worker that asks.
    package let firstLookElsewhere: Int
    /// The same, of every look.
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
    /// lock of runs over everything when it is free and this is one.
    package func keepLock(ofRunOverEverything isNight: Bool) async {
        do throws(PostgresError) {
            try await runLock.check(isNight: isNight)
        } catch {
            // Out of reach. The next check will tell.
        }
    }

    /// Leases the next batch for `worker`; nil when none is free.
    /// - Parameters:
    ///   - held: the batches that it holds already. Another that is in its name is one whose lease
    ///     got lost on the way to it.
    ///   - isFirstLook: whether a batch of the first look is wanted, or a group of the second.
    ///   - early: lease groups, too, that were put off to later.
    package func leaseBatch(
        of run: RunID, for worker: Int, besides held: [Int], isFirstLook: Bool = true,
        early: Bool = false
    ) async throws(DatabaseError) -> Batch? {
        let parameters = [
            run.text, String(worker), String(Self.leaseSeconds), PostgresArray.integers(held),
            isFirstLook ? "t" : "f", early ? "t" : "f",
        ]
        return try await query(SQL.leaseBatch, parameters) { row throws(PostgresError) in
            let (first, last): (UserID?, UserID?) = (
                try row.optionalID("first_user"), try row.optionalID("last_user")
            )
            var users: ClosedUserRange?
            if let first, let last { users = ClosedUserRange(first: first, last: last) }
            return Batch(
                number: try row.int("batch_no"), users: users, look: try row.int("look"),
                lease: try row.int("lease"), attempts: try row.int("attempts"))
        }.first
    }

    /// Gives back what `worker` holds and has not done.
    /// - Parameter forgiven: batches whose attempt does not count, because the worker was told to
    ///   stop.
    package func releaseLeases(
        of run: RunID, for worker: Int, forgiving forgiven: [Int] = []
    ) async throws(DatabaseError) {
        let parameters = [run.text, String(worker), PostgresArray.integers(forgiven)]
        _ = try await query(SQL.releaseLeases, parameters) { _ in }
    }

    /// Frees what workers hold whose session is gone; returns how many batches.
    package func freeLostLeases(of run: RunID, besides worker: Int)
        async throws(DatabaseError) -> Int
    {
        try await query(SQL.freeLostLeases, [run.text, String(worker)]) {
            row throws(PostgresError) in try row.int("batches")
        }.first ?? 0
    }

    /// Lets the other workers of a run know that `worker` has answers.
    package func noteAnswers(of worker: Int) async throws(DatabaseError) {
        _ = try await query(SQL.noteAnswers, [String(worker)]) { _ in }
    }

    /// Notes that `worker` waits for answers no longer, and tells whether others that are alive
    /// have had some within the last `time`.
    package func noteCutOff(
        of worker: Int, in run: RunID, within time: Duration
    ) async throws(DatabaseError) -> Bool {
        _ = try await query(SQL.noteCutOff, [String(worker)]) { _ in }
        let seconds = String(Double(time.inMilliseconds) / 1_000)
        let parameters = [run.text, String(worker), seconds]
        return try await query(SQL.countAnsweredWorkers, parameters) {
            row throws(PostgresError) in try row.int("workers")
        } != [0]
    }

    package func standing(of run: RunID, for worker: Int)
        async throws(DatabaseError) -> RunStanding
    {
        let standings = try await query(SQL.runProgress, [run.text, String(worker)]) {
            row throws(PostgresError) in
            RunStanding(
                state: try row.word("state"), firstLookElsewhere: try row.int("first_look"),
                batchesElsewhere: try row.int("batches"))
        }
        guard let standing = standings.first else {
            throw DatabaseError(
                .notOpen("The run \(run) is no longer there"), statement: SQL.runProgress.name)
        }
        return standing
    }

    /// Notes that work on `batch` begins, and until a user of it is recorded that it may be what
    /// ends its workers.
    package func begin(_ batch: Batch, of run: RunID) async throws(DatabaseError) {
        let parameters = [run.text, String(batch.number), String(batch.lease)]
        _ = try await query(SQL.beginBatch, parameters) { _ in }
    }

    /// The users of `batch` who are recorded or put off.
    package func recordedUsers(of batch: Batch, in run: RunID)
        async throws(DatabaseError) -> [UserID]
    {
        try await query(SQL.recordedUsers, [run.text, String(batch.number)]) {
            row throws(PostgresError) in UserID(try row.text("user_id"))
        }
    }
}
