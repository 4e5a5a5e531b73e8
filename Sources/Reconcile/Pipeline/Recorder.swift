internal import Synchronization

/// Commits judged users in batches of rows, each transaction under the leases of its users'
/// batches: within a second, or 200 users (SPEC §8). A worker that lost a lease writes nothing
/// under it.
final class Recorder: Sendable {
    /// The most users who are judged and not committed: what a crash may cost, beside what is in
    /// flight.
    private static let mostUsers = 200
    /// From this on they are committed while others come.
    private static let usualUsers = 150
    /// Memory: of kept answers a body has 16 MiB at most, and a usual one a few KiB.
    private static let usualBytes = 4 << 20
    /// A commit takes some time beside this.
    private static let longest = Duration.milliseconds(500)
    private static let tick = Duration.milliseconds(100)
    private static let renewal = Duration.seconds(10)

    let run: Run
    let worker: Int
    private let database: Database
    private let observe: @Sendable (RunEvent) -> Void
    private let state = Mutex(RecorderState())
    /// Room for users who are judged and not committed.
    private let room = Semaphore(permits: mostUsers)
    /// One permit when there is something to commit.
    private let due = Semaphore(permits: 0)
    /// One commit at a time: a batch is done with the last of its users, not before the others.
    private let committing = Semaphore(permits: 1)

    init(
        database: Database, run: Run, worker: Int,
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.database = database
        self.run = run
        self.worker = worker
        self.observe = observe
    }

    // MARK: Batches

    var heldBatches: [Int] { state.withLock { Array($0.batches.keys) } }

    func hold(_ batch: Batch) { state.withLock { $0.batches[batch.number] = HeldBatch(batch) } }

    /// Notes in the database that work on `batch` begins.
    func begin(_ batch: Batch) async throws {
        try await database.leases.begin(batch, of: run.id)
        state.withLock { $0.batches[batch.number]?.isBegun = true }
    }

    /// Whether `batch` is still held under its lease.
    func isHeld(_ batch: Batch) -> Bool { state.withLock { $0.holds(batch) } }

    /// Says that `users` more users of `batch` will be added. It is done when all of them are
    /// committed and no more will be expected.
    func expect(_ users: Int, of batch: Batch, isLast: Bool) {
        let isDone = state.withLock { state in
            guard state.holds(batch) else { return false }
            state.batches[batch.number]?.expected += users
            state.batches[batch.number]?.isRead = isLast
            return state.batches[batch.number]?.isDone ?? false
        }
        if isDone { requestFlush() }
    }

    /// Commits what there is and lets go of `batch`, which is not done.
    func release(_ batch: Batch) async throws {
        try await flush()
        _ = state.withLock { $0.remove(batch) }
    }

    // MARK: Users

    /// Hands a user over. Waits while too many are not committed; in a cancelled task it does not,
    /// so that what is known is saved.
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

    /// Commits until it is cancelled, whenever there is something to.
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

    /// Commits what there is.
    /// - Parameter all: renew the leases of batches, too, of which there is nothing to commit.
    func flush(all: Bool = false) async throws {
        try await committing.wait()
        defer { committing.signal() }
        try await commit(all: all)
    }

    /// Notices what is due by the clock, until it is cancelled.
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

    /// Saves what is known and gives back what is not done. To be called when nothing else commits,
    /// and in a cancelled task too.
    /// - Parameter isStopped: whether this worker was told to stop, or stops because others can do
    ///   better: it is not the work that ends it.
    func handOver(isStopped: Bool) async throws {
        try await commit(all: false)
        let begun = state.withLock { $0.batches.filter(\.value.isBegun).map(\.key) }
        try await database.leases.release(
            of: run.id, for: worker, forgiving: isStopped ? begun : [])
    }

    private func commit(all: Bool) async throws {
        let (parts, permits) = state.withLock { $0.take(all: all) }
        defer { room.signal(permits) }
        guard !parts.isEmpty else { return }
        let result = try await database.results.record(parts, of: run)
        for receipt in result.leftOut {
            observe(
                .warning(
                    "Receipt \(receipt) moved to another user during the run: it is counted where"
                        + " it was first."))
        }
        for part in parts {
            let isLost = !result.held.contains(part.batch.number)
            guard isLost || part.isDone else { continue }
            let wasHeld = state.withLock { $0.remove(part.batch) }
            if isLost, wasHeld { try await tellOfLoss(of: part.batch) }
        }
    }

    /// - Throws: `notOpen` when the run was given up. One that another worker has published is
    ///   complete without us.
    private func tellOfLoss(of batch: Batch) async throws {
        switch try await database.leases.standing(of: run.id, for: worker).state {
        case .failed, .abandoned, .retracted: throw DatabaseError.ended(run.id)
        case .open, .published, .held: break
        }
        observe(
            .warning(
                "The lease of batch \(batch.number) expired, and another worker has taken it over."
                    + " Nothing more of it is written here."))
    }
}

extension UserRecord {
    /// What it holds of Apple's answers.
    fileprivate var bytes: Int {
        guard case .judged(let user) = self else { return 0 }
        return user.value.evidence.reduce(0) { $0 + ($1.body?.bytes.count ?? 0) }
    }
}

extension DatabaseError {
    static func ended(_ run: RunID) -> DatabaseError {
        DatabaseError(.notOpen("The run \(run) was given up"), statement: "run_progress")
    }
}
