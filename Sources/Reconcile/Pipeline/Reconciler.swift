/// One night: reads every batch of a run, has its receipts validated within the rate, judges its
/// users and records what was found.
package struct Reconciler: Sendable {
    let database: Database
    let validator: AppStoreValidator
    private let judge: Judge
    private let settings: ReconcilerSettings
    let observe: @Sendable (RunEvent) -> Void

    /// - Parameter observe: sees every event of the run; called from any task, so it must be quick.
    package init(
        database: Database, validator: AppStoreValidator, judge: Judge,
        settings: ReconcilerSettings, observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        (self.database, self.validator, self.judge) = (database, validator, judge)
        (self.settings, self.observe) = (settings, observe)
    }

    /// Works through the batches of `run`, which has been opened and cut as `plan` says, beside
    /// whoever else works on it, until all are done. What was recorded before counts.
    /// - Returns: how many receipts were not asked about because `deadline` had passed, and how
    ///   fast this process asked.
    /// - Throws: `DatabaseError`, `ValidationFailure` or `CancellationError`. What is known by then
    ///   stays recorded, and the next run goes on from there.
    package func reconcile(_ run: Run, _ plan: RunPlan) async throws -> RunEffort {
        let meter = RunMeter(plan, observe: observe)
        let cancelled = try await database.cancelledTransactions(before: run.past)
        let worker = try await database.enlist(in: run.id, as: settings.workerName)
        let recorder = BatchRecorder(
            database: database, run: run.id, worker: worker, held: LeasedBatches(), observe: observe
        )
        if run.replayOf == nil {
            await validator.recall(try await database.refusalHistory(of: run.id))
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await recorder.keep() }
                group.addTask { try await recorder.keepLock() }
                group.addTask { try await recorder.watch() }
                group.addTask {
                    // What is held back of a batch is settled before others' are waited for: they
                    // may wait for ours.
                    repeat {
                        try await work(on: run, after: cancelled, meter, recorder)
                    } while try await mayHaveMore(of: run, for: recorder)
                }
                // The first that ends is the work, or a failure.
                try await group.next()
                group.cancelAll()
            }
        } catch {
            // The reason of the end is told, not that it could not be saved: that is found by the
            // next run, which asks again.
            try? await recorder.handOver()
            throw error
        }
        return RunEffort(
            receiptsPastDeadline: meter.receiptsPastDeadline,
            pace: meter.pace(validator.waited, places: settings.inFlight))
    }

    /// - Parameter cancelled: what earlier runs saw cancelled.
    private func work(
        on run: Run, after cancelled: CancellationFilter, _ meter: RunMeter,
        _ recorder: BatchRecorder
    ) async throws {
        let unanswered = BoundedQueue<UnansweredBatch>(capacity: 1)
        let answered = BoundedQueue<OpenBatch>(capacity: 1)
        let settled = BoundedQueue<OpenBatch>(capacity: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while let batch = try await nextBatch(of: run, for: recorder) {
                    let next = try await opened(batch, of: run)
                    meter.found(next)
                    if next.questions.isEmpty {
                        try await answered.send(next.batch)
                    } else {
                        try await unanswered.send(next)
                    }
                }
                unanswered.finish()
            }
            group.addTask {
                let feed = QuestionFeed(batches: unanswered, answered: answered)
                try await forEach(in: feed, atMost: settings.inFlight) { element in
                    guard recorder.held.holds(element.batch.batch) else { return }
                    let isLast = try await ask(element, meter, recorder)
                    if isLast { try await answered.send(element.batch) }
                }
                answered.finish()
            }
            group.addTask {
                var held = HeldBatches(validator: validator)
                while let batch = try await answered.next() {
                    for batch in await held.release(andTakeIn: batch) {
                        try await settled.send(batch)
                    }
                }
                for batch in await held.releaseAll() { try await settled.send(batch) }
                settled.finish()
            }
            group.addTask {
                try await forEach(in: settled, atMost: Self.mostRecordedAtOnce) { batch in
                    try await record(batch, of: run, after: cancelled, meter, recorder)
                }
            }
            // `waitForAll` cancels nothing: the others would wait for the one that failed.
            while try await group.next() != nil {}
        }
    }

    /// A batch waits for the database a dozen times before it is recorded; another is judged
    /// meanwhile.
    private static let mostRecordedAtOnce = 2

    /// True for the last answer of its batch.
    private func ask(
        _ element: QuestionFeed.Element, _ meter: RunMeter, _ recorder: BatchRecorder
    ) async throws -> Bool {
        let (open, place) = (element.batch, element.place)
        var report = try await answer(element.question, meter)
        // Kept before it counts: whoever has the last answer has the batch recorded.
        var mustFlush = false
        if let answer = report.recorded(for: element.question, of: open.asker(at: place)) {
            report.question = answer.question
            mustFlush = recorder.held.note(answer, of: open.batch)
        }
        // From here on the body is the recorder's: a batch holds what was read of it only.
        report.body = nil
        let isLast = open.note(report, at: place)
        if mustFlush { try await recorder.flush() }
        return isLast
    }

    private func answer(
        _ question: ReceiptQuestion, _ meter: RunMeter
    ) async throws -> ValidationReport {
        meter.began()
        defer { meter.ended() }
        let report = try await validator.validate(question, before: settings.deadline)
        if report.validation == .unverified(.deadline) { meter.overran() }
        meter.answered(report.requests)
        return report
    }

    /// Entitlements are read now, after the last answer, so that no finding comes of a row that
    /// the service has mended meanwhile.
    private func record(
        _ open: OpenBatch, of run: Run, after cancelled: CancellationFilter, _ meter: RunMeter,
        _ recorder: BatchRecorder
    ) async throws {
        guard recorder.held.holds(open.batch) else { return }
        let entitlements = try await database.entitlements(of: open.batch)
        let users = try await database.usersWithOtherReceipts(than: open.snapshot, in: open.batch)
        for row in entitlements.invalid { observe(.skipped(row)) }
        let reconciliation = UserReconciliation(
            judge: judge, open: open, entitlements: entitlements, usersWithUnreadReceipts: users)
        let history = try await database.history(
            of: reconciliation.users,
            transactions: reconciliation.transactions(in: cancelled), before: run.past)
        var record = try await reconciliation.record(
            after: history, lastReports: database.lastReports)
        if !run.isNight { record.leaveNoTrace() }
        record.doubted = open.doubted
        record.replayOf = run.replayOf
        guard let leftOut = try await recorder.complete(record) else { return }
        for receipt in leftOut {
            observe(
                .warning(
                    "Receipt \(receipt) moved to another user while the run was on: it is counted"
                        + " where it was first."))
        }
        meter.recorded(record, questions: open.questionCount)
    }
}

/// What one process did for a run.
package struct RunEffort: Sendable {
    package var receiptsPastDeadline: Int
    /// Nil when it asked Apple hardly anything.
    package var pace: RunPace?
}

/// What a reconciliation may take.
package struct ReconcilerSettings: Sendable {
    /// Receipts under way at once.
    package var inFlight: Int
    /// From here on nothing more is asked; `--max-runtime`.
    package var deadline: ContinuousClock.Instant?
    /// This process, for people: host and process id.
    package var workerName: String

    package init(
        inFlight: Int = 16, deadline: ContinuousClock.Instant? = nil, workerName: String = "worker"
    ) {
        (self.inFlight, self.deadline, self.workerName) = (inFlight, deadline, workerName)
    }
}
