/// Writes what one process learns: answers as they come, and batches when they are judged. None of
/// a batch's answers comes after it: it waits while they are being written.
struct BatchRecorder: Sendable {
    let database: Database
    let run: RunID
    let worker: Int
    let held: LeasedBatches
    let observe: @Sendable (RunEvent) -> Void
    /// Of whoever writes the answers of several batches.
    private let turn = Turn()

    init(
        database: Database, run: RunID, worker: Int, held: LeasedBatches,
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        (self.database, self.run, self.worker) = (database, run, worker)
        (self.held, self.observe) = (held, observe)
    }

    /// Records all answers, when so many of them wait that it is time: somebody else may have done
    /// it before it is this one's turn.
    func flush() async throws {
        try await turn.take()
        defer { turn.pass() }
        if held.mustFlush { try await write(.answered) }
    }

    /// Records a judged batch; nil when somebody else has leased it since, and nothing was written.
    /// - Returns: receipts that were left out, because another batch has them.
    func complete(_ record: BatchRecord) async throws -> [ReceiptID]? {
        guard let answers = try await answersToRecord(with: record.batch) else { return nil }
        defer { held.remove(record.batch) }
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

    /// Once nobody writes others of its answers; nil when the batch is not ours any more.
    private func answersToRecord(with batch: Batch) async throws -> [RecordedAnswer]? {
        while held.holds(batch) {
            if let answers = held.takeToRecord(batch) { return answers }
            try await turn.take()
            turn.pass()
        }
        return nil
    }

    /// Takes the run's lock when its holder is gone, so that nobody begins another run, until it is
    /// cancelled. Another process that has it works on this run too: the leases divide it.
    func keepLock() async throws {
        while true {
            try await ContinuousClock().sleep(for: .milliseconds(250))
            await database.keepLock()
        }
    }

    /// Keeps leases alive until it is cancelled, and records answers in time.
    func keep() async throws {
        let clock = ContinuousClock()
        var renewedAt = clock.now
        while true {
            try await clock.sleep(for: .milliseconds(250))
            let now = clock.now
            let mustRenew = renewedAt.duration(to: now) > .seconds(10)
            guard mustRenew || held.isDue(at: now) else { continue }
            if mustRenew { renewedAt = now }
            try await turn.take()
            defer { turn.pass() }
            try await write(mustRenew ? .all : .answered)
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
        try await write(.all)
        try await database.releaseLeases(of: run, for: worker)
    }

    private func write(_ scope: LeasedBatches.Scope) async throws {
        let (batches, answers) = held.takeAll(scope)
        defer { held.haveBeenWritten() }
        let ours = try await database.renew(batches, recording: answers, of: run)
        for batch in batches where !ours.contains(batch.number) && held.lose(batch) {
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
