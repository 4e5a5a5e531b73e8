/// How a worker comes to its batches.
extension Reconciler {
    /// The next batch, leased; nil when none is free.
    func nextBatch(of run: Run, for recorder: BatchRecorder) async throws -> Batch? {
        let leased = try await database.leaseBatch(
            of: run.id, for: recorder.worker, besides: recorder.held.numbers)
        if let leased { recorder.held.add(leased) }
        return leased
    }

    /// Whether batches may come free: others are at work too, and theirs are taken over when they
    /// are lost. To be asked when nothing is held here; waits a little when nothing is free yet.
    func mayHaveMore(of run: Run, for recorder: BatchRecorder) async throws -> Bool {
        let standing = try await database.standing(of: run.id, for: recorder.worker)
        switch standing.state {
        case .published: return false
        case .failed, .abandoned: throw DatabaseError.ended(run.id)
        case .open: break
        }
        guard standing.batchesElsewhere > 0 else { return false }
        if try await database.freeLostLeases(of: run.id, besides: recorder.worker) == 0 {
            try await ContinuousClock().sleep(for: .milliseconds(500))
        }
        return true
    }

    /// Reads a batch, and what is known of its receipts already.
    func opened(_ batch: Batch, of run: Run) async throws -> UnansweredBatch {
        guard batch.attempts <= Self.mostAttempts + 2 else {
            return UnansweredBatch(
                setAside: OpenBatch.setAside(batch, try await database.receiptNames(of: batch)))
        }
        let receipts = try await database.receipts(of: batch)
        for row in receipts.invalid { observe(.skipped(row)) }
        let (open, questions) = OpenBatch.open(batch, receipts, with: validator)
        var unanswered = UnansweredBatch(batch: open, questions: questions)
        if run.replayOf != nil || batch.lease > 1 {
            let recorded = try await database.answers(
                to: questions.map(\.digest), of: run.replayOf ?? run.id, in: batch,
                orAnyBatch: run.replayOf != nil)
            if run.replayOf == nil, await validator.isUnawareOfRefusals(in: recorded) {
                await validator.recall(try await database.refusalHistory(of: run.id))
            }
            await unanswered.fill(with: recorded, by: validator, isFinal: run.replayOf != nil)
        }
        if run.replayOf != nil { unanswered.fill(withCause: .noEvidence) }
        if batch.attempts > Self.mostAttempts {
            observe(.setAside(batch))
            unanswered.fill(withCause: .batchSetAside)
        }
        return unanswered
    }

    /// How often in a row a batch may end its worker before anything of it is recorded. Then it is
    /// judged by what is recorded and asks nothing; should that end two more, by nothing at all.
    static let mostAttempts = 5

    /// Waits until it is this process's turn to publish `run`, all of whose batches are done.
    /// - Returns: false when another process has published it.
    package func mayPublish(_ run: Run) async throws -> Bool {
        let start = ContinuousClock.now
        var hasWarned = false
        while true {
            let isOurs = try await database.hasLock()
            switch try await database.standing(of: run.id, for: 0).state {
            case .published: return false
            case .failed, .abandoned: throw DatabaseError.ended(run.id)
            case .open: if isOurs { return true }
            }
            if !hasWarned, start.duration(to: .now) > .seconds(60) {
                hasWarned = true
                observe(
                    .warning(
                        "All batches are done, and the worker that is to publish them does not: it"
                            + " may be stopped. Let it go on, or end its process or its session;"
                            + " then this one publishes."))
            }
            try await ContinuousClock().sleep(for: .milliseconds(500))
        }
    }
}

extension DatabaseError {
    fileprivate static func ended(_ run: RunID) -> DatabaseError {
        DatabaseError(.notOpen("The run \(run) was given up"), statement: "run_progress")
    }
}

extension RunEvent {
    fileprivate static func setAside(_ batch: Batch) -> RunEvent {
        .warning(
            "Batch \(batch.number) was leased \(batch.attempts) times and nothing came of it: it is"
                + " set aside, and what is not known of its receipts is unverified"
                + " (batch_set_aside). Look for what ended the workers, memory for example.")
    }

    static func skipped(_ row: InvalidStoredEntitlement) -> RunEvent {
        .skippedRow(
            view: "stored_entitlements", id: row.id.map(\.text),
            why: "null in \(row.missing.joined(separator: ", "))")
    }

    static func skipped(_ row: InvalidStoredReceipt) -> RunEvent {
        .skippedRow(
            view: "stored_receipts", id: row.id.map(\.text),
            why: "a column is null that must not be")
    }
}
