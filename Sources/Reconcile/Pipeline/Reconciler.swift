/// One night: reads every batch of a run, has its receipts validated within the rate, judges its
/// users and records what was found.
package struct Reconciler: Sendable {
    private let database: Database
    private let validator: AppStoreValidator
    private let judge: Judge
    private let settings: ReconcilerSettings
    private let observe: @Sendable (RunEvent) -> Void

    /// - Parameter observe: sees every event of the run; called from any task, so it must be quick.
    package init(
        database: Database, validator: AppStoreValidator, judge: Judge,
        settings: ReconcilerSettings, observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        (self.database, self.validator, self.judge) = (database, validator, judge)
        (self.settings, self.observe) = (settings, observe)
    }

    /// Works through all batches of `run`, which has been opened and cut as `plan` says.
    /// - Returns: how many receipts were not asked about because `deadline` had passed.
    /// - Throws: `DatabaseError`, `ValidationFailure` or `CancellationError`. The batches recorded
    ///   until then stay recorded.
    package func reconcile(_ run: Run, _ plan: RunPlan) async throws -> Int {
        let meter = RunMeter(plan, observe: observe)
        let unanswered = BoundedQueue<UnansweredBatch>(capacity: 1)
        let answered = BoundedQueue<OpenBatch>(capacity: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await read(run, plan, into: unanswered, or: answered) }
            group.addTask {
                let feed = QuestionFeed(batches: unanswered, answered: answered)
                try await forEach(in: feed, atMost: settings.inFlight) { element in
                    let report = try await answer(element.question, meter)
                    let isLast = element.batch.note(report, at: element.place)
                    if isLast { try await answered.send(element.batch) }
                }
                answered.finish()
            }
            group.addTask {
                var held = HeldBatches(validator: validator)
                while let batch = try await answered.next() {
                    for batch in await held.release(andTakeIn: batch) {
                        try await record(batch, of: run, meter)
                    }
                }
                for batch in await held.releaseAll() { try await record(batch, of: run, meter) }
            }
            // `waitForAll` cancels nothing: the others would wait for the one that failed.
            while try await group.next() != nil {}
        }
        return meter.receiptsPastDeadline
    }

    /// Reads the batches in turn, one ahead of what is asked.
    private func read(
        _ run: Run, _ plan: RunPlan, into unanswered: BoundedQueue<UnansweredBatch>,
        or answered: BoundedQueue<OpenBatch>
    ) async throws {
        for number in 1...max(1, plan.batches) {
            guard let batch = try await database.batch(number, of: run.id) else { break }
            let receipts = try await database.receipts(of: batch)
            let (open, questions) = OpenBatch.open(batch, receipts, with: validator)
            for row in receipts.invalid { observe(.skipped(row)) }
            if questions.isEmpty {
                try await answered.send(open)
            } else {
                try await unanswered.send(UnansweredBatch(batch: open, questions: questions))
            }
        }
        unanswered.finish()
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
    private func record(_ open: OpenBatch, of run: Run, _ meter: RunMeter) async throws {
        let entitlements = try await database.entitlements(of: open.batch)
        let users = try await database.usersWithOtherReceipts(than: open.snapshot, in: open.batch)
        for row in entitlements.invalid { observe(.skipped(row)) }
        let reconciliation = UserReconciliation(
            judge: judge, open: open, entitlements: entitlements, usersWithUnreadReceipts: users)
        let history = try await database.history(
            of: reconciliation.users, cancelled: reconciliation.cancelled, before: run.id)
        var record = try await reconciliation.record(
            after: history, lastReports: database.lastReports)
        if !run.scope.isEverything { record.leaveNoTrace() }
        for receipt in try await database.record(record, of: run.id) {
            observe(
                .warning(
                    "Receipt \(receipt) moved to another user while the run was on: it is counted"
                        + " where it was first."))
        }
        meter.recorded(record, questions: open.questionCount)
    }
}

/// What a reconciliation may take.
package struct ReconcilerSettings: Sendable {
    /// Receipts under way at once.
    package var inFlight: Int
    /// From here on nothing more is asked; `--max-runtime`.
    package var deadline: ContinuousClock.Instant?

    package init(inFlight: Int = 16, deadline: ContinuousClock.Instant? = nil) {
        (self.inFlight, self.deadline) = (inFlight, deadline)
    }
}

extension RunEvent {
    fileprivate static func skipped(_ row: InvalidStoredEntitlement) -> RunEvent {
        .skippedRow(
            view: "stored_entitlements", id: row.id.map(\.text),
            why: "null in \(row.missing.joined(separator: ", "))")
    }

    fileprivate static func skipped(_ row: InvalidStoredReceipt) -> RunEvent {
        .skippedRow(
            view: "stored_receipts", id: row.id.map(\.text),
            why: "a column is null that must not be")
    }
}
