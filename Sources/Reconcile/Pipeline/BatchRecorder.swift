/// Writes what one process learns: answers as they come, and batches when they are judged. One
/// transaction at a time, so that an answer cannot come after the batch it belongs to.
struct BatchRecorder: Sendable {
    let database: Database
    let run: RunID
    let worker: Int
    let held: LeasedBatches
    let observe: @Sendable (RunEvent) -> Void
    private let turn = Turn()

    init(
        database: Database, run: RunID, worker: Int, held: LeasedBatches,
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        (self.database, self.run, self.worker) = (database, run, worker)
        (self.held, self.observe) = (held, observe)
    }

    /// Renews all leases and records all answers.
    func flush() async throws {
        try await turn.take()
        defer { turn.pass() }
        try await write()
    }

    /// Records a judged batch; nil when somebody else has leased it since, and nothing was written.
    /// - Returns: receipts that were left out, because another batch has them.
    func complete(_ record: BatchRecord) async throws -> [ReceiptID]? {
        try await turn.take()
        defer { turn.pass() }
        defer { held.remove(record.batch) }
        let answers = held.take(record.batch)
        do throws(DatabaseError) {
            return try await database.record(record, answers: answers, of: run)
        } catch {
            guard case .notOpen = error.reason,
                try await database.standing(of: run, for: worker).state == .open
            else { throw error }
            warnOfLoss(of: record.batch)
            return nil
        }
    }

    /// Keeps leases and locks alive until it is cancelled, and records answers in time.
    func keep() async throws {
        let clock = ContinuousClock()
        var renewedAt = clock.now
        while true {
            try await clock.sleep(for: .milliseconds(250))
            // Whoever works takes the lock when its holder is gone, so that nobody begins another
            // run. Another process that has it works on this run too: the leases divide it.
            await database.keepLock()
            let now = clock.now
            guard held.isDue(at: now) || renewedAt.duration(to: now) > .seconds(10) else {
                continue
            }
            renewedAt = now
            try await flush()
        }
    }

    /// Ends connections that nothing comes from any more, until it is cancelled. On its own, for
    /// whoever else writes may be the one that waits.
    func watch() async throws {
        while true {
            try await ContinuousClock().sleep(for: .milliseconds(250))
            await database.endSilentConnections()
        }
    }

    /// Saves what is known and gives back what is not done. To be called when nobody else writes
    /// any more, and in a cancelled task too.
    func handOver() async throws {
        try await write()
        try await database.releaseLeases(of: run, for: worker)
    }

    private func write() async throws {
        let (batches, answers) = held.takeAll()
        let ours = try await database.renew(batches, recording: answers, of: run)
        for batch in batches where !ours.contains(batch.number) && held.holds(batch) {
            held.remove(batch)
            warnOfLoss(of: batch)
        }
    }

    private func warnOfLoss(of batch: Batch) {
        observe(
            .warning(
                "Batch \(batch.number) was taken over by another worker, because this one was not"
                    + " heard of for too long. Nothing of it was written here."))
    }
}
