/// Distinguishes an outage of Apple's servers from a worker that has no connection of its own. The
/// users of such a worker are left to other workers, not recorded as `unverified`.
actor OutageCheck {
    /// How long the result of one check of the other workers is reused.
    private static let interval = Duration.seconds(1)
    /// The most by which workers differ in when they notice the same outage.
    private static let latestNotice = Duration.seconds(30)
    /// As many requests in a row without a connection are no coincidence.
    private static let mostFailuresInARow = 25

    private let database: Database
    private let asking: Asking
    private let run: RunID
    private let worker: Int
    private let permit = Semaphore(permits: 1)
    private var checkedAt: ContinuousClock.Instant?
    private var foundAloneAt: ContinuousClock.Instant?

    init(database: Database, asking: Asking, run: RunID, worker: Int) {
        self.database = database
        self.asking = asking
        self.run = run
        self.worker = worker
    }

    /// Records, every 5 s until the task is cancelled, that this worker got answers.
    func recordAnswers() async throws {
        while true {
            // A failed write costs little: further answers are recorded 5 s later.
            if asking.takeAnswered() { try? await database.workers.recordAnswers(of: worker) }
            try await ContinuousClock().sleep(for: .seconds(5))
        }
    }

    /// Leaves, once this worker's requests all fail to connect, also while they wait for the end of
    /// what looks like an outage. Repeats until the task is cancelled.
    /// - Throws: `WorkerCutOff`.
    func watchConnections() async throws {
        while true {
            try await ContinuousClock().sleep(for: .seconds(1))
            try await leaveIfWithoutNetwork()
        }
    }

    private func leaveIfWithoutNetwork() async throws {
        guard asking.connectionFailuresInARow >= Self.mostFailuresInARow else { return }
        try await requireAlone()
    }

    /// Checks that no other worker of the run is alive, also one that has nothing to do. Must be
    /// called before a receipt is recorded as `unverified` because this worker had no connection.
    /// - Throws: `WorkerCutOff`. Of several workers that leave at the same time, one stays.
    func requireAlone() async throws {
        try await permit.wait()
        defer { permit.signal() }
        if let foundAloneAt, foundAloneAt.duration(to: .now) < Self.interval { return }
        guard try await !database.workers.leave(worker, in: run) else {
            throw WorkerCutOff(cause: .noConnection(asking.mostFrequentFailure))
        }
        foundAloneAt = .now
    }

    /// Checks that other workers have no answers either. Must be called when the circuit breaker
    /// has given up, before a user is recorded as `unverified` because of the outage.
    /// - Throws: `WorkerCutOff` when another live worker got answers in the meantime, or this one
    ///   cannot connect.
    func requireOutage() async throws {
        try await leaveIfWithoutNetwork()
        try await permit.wait()
        defer { permit.signal() }
        if let checkedAt, checkedAt.duration(to: .now) < Self.interval { return }
        let duration = asking.outageDuration
        let time = max(duration - Self.latestNotice, duration / 2)
        try await database.workers.recordCutOff(of: worker)
        let isCutOff = try await database.workers.othersGotAnswers(
            excluding: worker, in: run, within: time)
        if isCutOff { throw WorkerCutOff(cause: .noAnswers) }
        checkedAt = .now
    }
}
