/// Distinguishes an outage of Apple's servers from a worker that lost its own connection. The users
/// of a disconnected worker are left to other workers, not recorded as `unverified`.
actor OutageCheck {
    /// How long the result of one check of the other workers is reused.
    private static let interval = Duration.seconds(1)
    /// The most by which workers differ in when they notice the same outage.
    private static let latestNotice = Duration.seconds(30)

    private let database: Database
    private let validator: AppStoreValidator
    private let run: RunID
    private let worker: Int
    private let permit = Semaphore(permits: 1)
    private var checkedAt: ContinuousClock.Instant?

    init(database: Database, validator: AppStoreValidator, run: RunID, worker: Int) {
        self.database = database
        self.validator = validator
        self.run = run
        self.worker = worker
    }

    /// Records, every 5 s until the task is cancelled, that this worker got answers.
    func recordAnswers() async throws {
        while true {
            // A failed write costs little: further answers are recorded 5 s later.
            if validator.takeAnswered() { try? await database.workers.recordAnswers(of: worker) }
            try await ContinuousClock().sleep(for: .seconds(5))
        }
    }

    /// Checks that other workers have no answers either. Must be called when the circuit breaker
    /// has given up, before a user is recorded as `unverified` because of the outage.
    /// - Throws: `WorkerCutOff` when another live worker got answers in the meantime.
    func requireOutage() async throws {
        try await permit.wait()
        defer { permit.signal() }
        if let checkedAt, checkedAt.duration(to: .now) < Self.interval { return }
        let duration = validator.outageDuration
        let time = max(duration - Self.latestNotice, duration / 2)
        try await database.workers.recordCutOff(of: worker)
        let isCutOff = try await database.workers.othersGotAnswers(
            excluding: worker, in: run, within: time)
        if isCutOff { throw WorkerCutOff() }
        checkedAt = .now
    }
}

/// This worker got no answers while other workers of the run did.
package struct WorkerCutOff: Error, CustomStringConvertible {
    package var description: String {
        "Apple has stopped answering this worker but still answers other workers of the run. They"
            + " take over its users. Correct this machine's network, proxy or URL, then join again."
    }
}
