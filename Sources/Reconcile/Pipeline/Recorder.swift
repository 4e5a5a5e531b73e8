internal import Synchronization

/// Commits judged users in batches of rows, at the latest after a second. Each transaction checks
/// the leases of its users' batches, so a worker that lost a lease writes nothing under it, and
/// names the one before it, so a worker whose commits were lost drops all that it holds.
final class Recorder: Sendable {
    /// The most users judged and not committed. A crash loses at most these and those in flight.
    private static let mostUsers = 200
    /// The number of users that starts a commit; more users are accepted while it runs.
    private static let usualUsers = 150
    /// Bytes of kept answers that start a commit. A body is usually a few KiB, at most 16 MiB.
    private static let usualBytes = 4 << 20
    /// How long a user waits for a commit to start, which must then end within the second.
    private static let longest = Duration.milliseconds(500)
    private static let tick = Duration.milliseconds(100)
    private static let renewal = Duration.seconds(10)

    let run: Run
    let worker: Int
    private let database: Database
    private let observe: @Sendable (RunEvent) -> Void
    /// Registers the worker anew after its commits were lost.
    private let restart: @Sendable () async throws -> CommitChain
    private let state: Mutex<RecorderState>
    private let room = Semaphore(permits: mostUsers)
    private let due = Semaphore(permits: 0)
    /// One commit at a time: a batch must not be marked done before all its users are committed.
    private let committing = Semaphore(permits: 1)

    init(
        database: Database, run: Run, chain: CommitChain,
        restart: @escaping @Sendable () async throws -> CommitChain,
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.database = database
        self.run = run
        worker = chain.worker
        self.restart = restart
        self.observe = observe
        state = Mutex(RecorderState(chain))
    }

    // MARK: Batches

    var heldBatches: [Int] { state.withLock { Array($0.batches.keys) } }

    func hold(_ batch: Batch) { state.withLock { $0.batches[batch.number] = HeldBatch(batch) } }

    func begin(_ batch: Batch) async throws {
        try await database.leases.begin(batch, of: run.id)
        state.withLock { $0.batches[batch.number]?.isBegun = true }
    }

    func isHeld(_ batch: Batch) -> Bool { state.withLock { $0.holds(batch) } }

    /// Announces `users` more users of `batch`. The batch is done when all announced users are
    /// committed and `isLast` was passed.
    func expect(_ users: Int, of batch: Batch, isLast: Bool) {
        let isDone = state.withLock { state in
            guard state.holds(batch) else { return false }
            state.batches[batch.number]?.expected += users
            state.batches[batch.number]?.isRead = isLast
            return state.batches[batch.number]?.isDone ?? false
        }
        if isDone { requestFlush() }
    }

    /// Commits what is buffered and drops `batch`, which is not done.
    /// - Returns: whether the batch was still held.
    func release(_ batch: Batch) async throws -> Bool {
        try await flush()
        return state.withLock { state in
            defer { state.remove(batch) }
            return state.holds(batch)
        }
    }

    // MARK: Users

    /// Adds a user to the buffer; waits while the buffer is full. In a cancelled task it does not
    /// wait, so that judged users are still saved.
    func add(_ record: UserRecord, of batch: Batch) async {
        var hasPermit = true
        do {
            try await room.wait()
        } catch {
            hasPermit = false
        }
        let now = ContinuousClock.now
        let (isAdded, isDue) = state.withLock { state -> (Bool, Bool) in
            guard state.holds(batch) else { return (false, false) }
            state.batches[batch.number]?.records.append(record)
            if case .deferred = record { state.batches[batch.number]?.isDeferred = true }
            state.users += 1
            state.permits += hasPermit ? 1 : 0
            state.bytes += record.bytes
            state.oldest = state.oldest ?? now
            let isDue = state.users >= Self.usualUsers || state.bytes >= Self.usualBytes
            return (true, isDue)
        }
        if !isAdded, hasPermit { room.signal() }
        if isDue { requestFlush() }
    }

    private func requestFlush() {
        let isFirst = state.withLock { state in
            defer { state.isRequested = true }
            return !state.isRequested
        }
        if isFirst { due.signal() }
    }

    // MARK: Committing

    func commitInTime() async throws {
        while true {
            try await due.wait()
            let mustRenew = state.withLock { state in
                state.isRequested = false
                defer { state.mustRenew = false }
                return state.mustRenew
            }
            try await flush(all: mustRenew)
        }
    }

    /// Commits the buffer. `all` also renews the leases of batches without buffered users.
    func flush(all: Bool = false) async throws {
        try await committing.wait()
        defer { committing.signal() }
        try await commit(all: all)
    }

    /// Requests commits and lease renewals that are due by time, until the task is cancelled.
    func watchClock() async throws {
        let clock = ContinuousClock()
        var renewedAt = clock.now
        while true {
            try await clock.sleep(for: Self.tick)
            let now = clock.now
            let mustRenew = renewedAt.duration(to: now) > Self.renewal
            if mustRenew { renewedAt = now }
            let isDue = state.withLock { state in
                state.mustRenew = state.mustRenew || mustRenew
                return mustRenew
                    || state.oldest.map { $0.duration(to: now) >= Self.longest }
                        ?? false
            }
            if isDue { requestFlush() }
        }
    }

    /// Commits what is buffered and releases the batches that are not done. Works in a cancelled
    /// task too; no other commit may be running.
    /// - Parameter isStopped: whether this worker was stopped, or leaves its batches to
    ///   workers that get answers. Then the begun batches do not count a failed attempt.
    func handOver(isStopped: Bool) async throws {
        try await commit(all: false)
        let begun = state.withLock { $0.batches.filter(\.value.isBegun).map(\.key) }
        try await database.leases.release(
            of: run.id, for: worker, forgiving: isStopped ? begun : [])
    }

    private func commit(all: Bool) async throws {
        let (parts, permits, link) = state.withLock { state in
            let (parts, permits) = state.take(all: all)
            return (parts, permits, state.chain.next())
        }
        defer { room.signal(permits) }
        guard !parts.isEmpty else { return }
        guard let result = try await database.results.record(parts, of: run, as: link) else {
            return try await startAgain()
        }
        state.withLock { $0.chain.append(link) }
        for receipt in result.leftOut {
            observe(
                .warning(
                    "Receipt \(receipt) moved to another user during the run. It is counted for the"
                        + " user that was recorded first."))
        }
        for part in parts {
            let isLost = !result.held.contains(part.batch.number)
            guard isLost || part.isDone else { continue }
            let wasHeld = state.withLock { state in
                defer { state.remove(part.batch) }
                return state.holds(part.batch)
            }
            if isLost, wasHeld { try await reportLoss(of: part.batch) }
        }
    }

    /// Drops everything held, since the database lost the last commits, and gives the batches back.
    /// They are leased again, and their users read who are not recorded.
    private func startAgain() async throws {
        let (begun, permits) = state.withLock { $0.dropAll() }
        room.signal(permits)
        let chain = try await restart()
        try await database.leases.release(of: run.id, for: worker, forgiving: begun)
        state.withLock { $0.chain = chain }
        observe(.commitsAreLost)
    }

    /// - Throws: `notOpen` when the run failed, was abandoned or retracted, and `RunLost` when the
    ///   database does not have it. A published run needs nothing more.
    private func reportLoss(of batch: Batch) async throws {
        switch try await database.leases.status(of: run.id)?.state {
        case nil: throw RunLost(run: run.id)
        case .failed, .abandoned, .retracted: throw DatabaseError.ended(run.id)
        case .open, .published, .held: break
        }
        observe(
            .warning(
                "The lease of batch \(batch.number) expired and another worker has taken it over,"
                    + " or a failover of the database undid it. This worker writes nothing more"
                    + " under it."))
    }
}

extension UserRecord {
    fileprivate var bytes: Int {
        guard case .judged(let user) = self else { return 0 }
        return user.value.evidence.reduce(0) { $0 + ($1.body?.bytes.count ?? 0) }
    }
}
