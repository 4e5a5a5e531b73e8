/// Tells an outage of Apple's from a worker that alone gets no answer: its users are others' to ask
/// about, and not `unverified`.
actor OutageCheck {
    /// How long one look at the other workers is good for.
    private static let interval = Duration.seconds(1)

    private let database: Database
    private let run: RunID
    private let worker: Int
    private let permit = Semaphore(permits: 1)
    private var checkedAt: ContinuousClock.Instant?

    init(database: Database, run: RunID, worker: Int) {
        (self.database, self.run, self.worker) = (database, run, worker)
    }

    /// To be called when an outage has outlasted the patience of this worker, before anybody is
    /// recorded for it.
    /// - Throws: `WorkerCutOff` when others are alive of whom that is not so.
    func requireOutage() async throws {
        try await permit.wait()
        defer { permit.signal() }
        if let checkedAt, checkedAt.duration(to: .now) < Self.interval { return }
        if try await database.noteCutOff(of: worker, in: run) { throw WorkerCutOff() }
        checkedAt = .now
    }
}

/// A worker got no answers while others of the run may have.
package struct WorkerCutOff: Error, CustomStringConvertible {
    package var description: String {
        "Apple has not answered this worker for too long, and other workers are at the run: its"
            + " users are left to them. Correct this machine's network, proxy or URL, then join"
            + " again."
    }
}
