/// Tells an outage of Apple's from a worker that alone gets no answer: its users are others' to ask
/// about, and not `unverified`.
actor OutageCheck {
    /// How long one look at the other workers is good for.
    private static let interval = Duration.seconds(1)
    /// Workers notice one outage at different times, but hardly further apart.
    private static let latestNotice = Duration.seconds(30)

    private let database: Database
    private let validator: AppStoreValidator
    private let run: RunID
    private let worker: Int
    private let permit = Semaphore(permits: 1)
    private var checkedAt: ContinuousClock.Instant?

    init(database: Database, validator: AppStoreValidator, run: RunID, worker: Int) {
        (self.database, self.validator) = (database, validator)
        (self.run, self.worker) = (run, worker)
    }

    /// Lets the other workers know when this one has answers, until it is cancelled.
    func tellOfAnswers() async throws {
        while true {
            // Out of reach: the next time will do.
            if validator.takeAnswered() { try? await database.workers.noteAnswers(of: worker) }
            try await ContinuousClock().sleep(for: .seconds(5))
        }
    }

    /// To be called when an outage has outlasted the patience of this worker, before anybody is
    /// recorded for it.
    /// - Throws: `WorkerCutOff` when others are alive that have had answers in the meantime.
    func requireOutage() async throws {
        try await permit.wait()
        defer { permit.signal() }
        if let checkedAt, checkedAt.duration(to: .now) < Self.interval { return }
        let duration = validator.outageDuration
        let time = max(duration - Self.latestNotice, duration / 2)
        if try await database.workers.noteCutOff(of: worker, in: run, within: time) {
            throw WorkerCutOff()
        }
        checkedAt = .now
    }
}

/// A worker got no answers while others of the run did.
package struct WorkerCutOff: Error, CustomStringConvertible {
    package var description: String {
        "Apple has not answered this worker for too long, and answers other workers of the run: its"
            + " users are left to them. Correct this machine's network, proxy or URL, then join"
            + " again."
    }
}
