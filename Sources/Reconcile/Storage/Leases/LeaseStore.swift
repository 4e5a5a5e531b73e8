internal import SQL

/// Leases of batches: one worker at a time processes a batch.
struct LeaseStore: Sendable {
    /// Seconds after which a lease expires without renewal.
    static let leaseSeconds = 60

    /// Seconds for which a batch that could not be read is left to others.
    private static let turnSeconds = 5

    let session: DatabaseSession

    /// Leases the next batch for `worker`; nil when none is free.
    /// - Parameters:
    ///   - leased: batches that the worker holds. A further batch leased to it means that the
    ///     response to an earlier call was lost: it is returned again.
    ///   - isFirstPass: a batch of the first pass, or a group of the second.
    ///   - early: includes groups whose wait is not over.
    func lease(
        batchOf run: RunID, for worker: Int, excluding leased: [Int], isFirstPass: Bool = true,
        early: Bool = false
    ) async throws(DatabaseError) -> Batch? {
        let parameters = [
            run.text, String(worker), String(Self.leaseSeconds), PostgresArray.integers(leased),
            isFirstPass ? "t" : "f", early ? "t" : "f", String(Int.fencingNumber),
        ]
        return try await session.query(SQL.leaseBatch, parameters) { row in
            let first: UserID? = try row.optionalID("first_user")
            let last: UserID? = try row.optionalID("last_user")
            var users: ClosedUserRange?
            if let first, let last { users = ClosedUserRange(first: first, last: last) }
            return Batch(
                number: try row.int("batch_no"), users: users,
                planned: ViewCounts(
                    users: try row.int("users"), receipts: try row.int("receipts"),
                    entitlements: try row.int("entitlements")),
                look: try row.int("look"), isDeferred: try row.bool("is_deferred"),
                lease: try row.int("lease"),
                isFirstLease: try row.bool("is_first_lease"),
                attempts: try row.int("attempts"))
        }.first
    }

    /// Releases the unfinished batches of `worker` and does not count the attempts at `forgiven`.
    func release(
        of run: RunID, for worker: Int, forgiving forgiven: [Int] = []
    ) async throws(DatabaseError) {
        let parameters = [run.text, String(worker), PostgresArray.integers(forgiven)]
        try await session.execute(SQL.releaseLeases, parameters)
    }

    /// Releases `batch`, which could not be read, to be leased again after some seconds.
    func putBack(_ batch: Batch, of run: RunID) async throws(DatabaseError) {
        let parameters = [
            run.text, String(batch.number), String(batch.lease), String(Self.turnSeconds),
        ]
        try await session.execute(SQL.putBackBatch, parameters)
    }

    /// Frees the batches of workers whose session has ended; returns their number.
    func freeOrphaned(of run: RunID, excluding worker: Int)
        async throws(DatabaseError) -> Int
    {
        try await session.query(SQL.freeOrphanedLeases, [run.text, String(worker)]) {
            row in try row.int("batches")
        }.first ?? 0
    }

    /// Nil when the database does not have the run.
    /// - Parameter held: batches that are not counted, since the asking worker has them.
    func status(
        of run: RunID, excluding held: [Int] = []
    ) async throws(DatabaseError) -> WorkLeft? {
        let parameters = [run.text, PostgresArray.integers(held)]
        return try await session.query(SQL.runProgress, parameters) { row in
            WorkLeft(
                state: try row.word("state"), isCut: try row.bool("is_cut"),
                batchesLeft: try row.int("batches"),
                hasUncutUsers: try row.bool("has_uncut_users"))
        }.first
    }

    /// Records that an attempt at `batch` begins. The attempt counts as failed until a user of the
    /// batch is recorded.
    func begin(_ batch: Batch, of run: RunID) async throws(DatabaseError) {
        let parameters = [run.text, String(batch.number), String(batch.lease)]
        try await session.execute(SQL.beginBatch, parameters)
    }
}

/// What is left to do of a run, as one of its workers sees it.
struct WorkLeft: Equatable, Sendable {
    let state: Run.State
    /// Whether its users are cut into batches.
    let isCut: Bool
    /// Unfinished batches of every look that the asking worker does not hold.
    let batchesLeft: Int
    /// Whether users put off to the second look are not cut into groups yet.
    let hasUncutUsers: Bool

    var hasWork: Bool { batchesLeft > 0 || hasUncutUsers }
}
