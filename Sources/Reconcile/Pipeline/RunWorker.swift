/// One process that works on an opened run, together with any other workers of the run.
package struct RunWorker: Sendable {
    private let run: Run
    private let database: Database
    private let asking: Asking
    let judge: Judge
    /// Nil: no sweep of refund notices.
    let sweep: RefundSweep?
    private let sweptRefunds = SweptRefunds()
    private let settings: RunWorker.Settings
    private let observe: @Sendable (RunEvent) -> Void

    /// - Parameter observe: called from any task; must return quickly.
    package init(
        _ run: Run, database: Database, asking: Asking, judge: Judge, sweep: RefundSweep? = nil,
        settings: RunWorker.Settings, observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.run = run
        self.database = database
        self.asking = asking
        var judge = judge
        judge.sweptRefunds = { [sweptRefunds] in sweptRefunds.all }
        self.judge = judge
        self.sweep = sweep
        self.settings = settings
        self.observe = observe
    }

    /// Works until this or another worker has recorded every user of the run: a first pass at all
    /// users, then a second look at those with a refused receipt.
    /// - Parameter restore: sets again what this process set when it opened the run; called when
    ///   the database lost commits.
    /// - Throws: `DatabaseError`, `RunLost`, `ValidationFailure`, `WorkerCutOff` or
    ///   `CancellationError`.
    func reconcile(
        _ plan: OpenedRun.Plan, restoring restore: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> Effort {
        let meter = RunMeter(plan, observe: observe)
        let work = try await prepare(meter, restore)
        let before = try await database.reports.totals(of: run.id).receipts
        if before[.verified] + before[.rejected] > 0, run.asksApple {
            try await asking.recordEarlierAnswers(
                about: try await database.secondLook.samples(of: run.id))
        }
        do {
            try await withTaskExecutorPreference(asking.taskExecutor) {
                try await complete(work)
            }
        } catch {
            // The first error is thrown, not the failure to save: users not saved are asked about
            // again when the run is resumed.
            try? await work.recorder.handOver(
                isStopped: Task.isCancelled || error is WorkerCutOff)
            throw error
        }
        if let notice = asking.retirement {
            try await database.runs.note(notice, in: run.id)
        }
        return RunWorker.Effort(
            worker: work.recorder.worker,
            pace: meter.pace(asking.waited, limit: settings.inFlight),
            mostFrequentFailure: asking.mostFrequentFailure)
    }

    private func prepare(
        _ meter: RunMeter, _ restore: @escaping @Sendable () async throws -> Void
    ) async throws -> Work {
        let register: @Sendable () async throws -> CommitChain = { [database, run, settings] in
            try await database.workers.register(in: run.id, as: settings.workerName)
        }
        let chain = try await register()
        let recorder = Recorder(
            database: database, run: run, chain: chain,
            restart: {
                try await restore()
                return try await register()
            }, observe: observe)
        let recording = UserRecording(
            run: run, evidence: settings.evidence, keepsReceipts: settings.keepsReceipts,
            live: asking.live)
        let task = UserTask(
            database: database, asking: asking,
            textCheck: AnswerTextCheck(encoding: try await database.encoding()),
            judging: UserJudging(
                judge, asking, past: run.past,
                checksEverySignature: recording.needsEverySignature),
            recording: recording, recorder: recorder, meter: meter,
            outageCheck: OutageCheck(
                database: database, asking: asking, run: run.id, worker: chain.worker),
            settings: settings, inFlight: Semaphore(permits: settings.inFlight))
        return Work(
            task: task, recorder: recorder, invalidRows: InvalidRowLog(observe: observe),
            stoppedApps: StoppedApps(
                database: database, asking: asking, run: run.id, settings: settings))
    }

    private func complete(_ work: Work) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work.recorder.commitInTime() }
            group.addTask { try await work.recorder.watchClock() }
            group.addTask { try await keepLock() }
            group.addTask { try await work.task.outageCheck.recordAnswers() }
            group.addTask { try await work.stoppedApps.tryWhenDue() }
            group.addTask { try await work.task.outageCheck.watchConnections() }
            group.addTask { try await lookAtEverybody(work) }
            // The first task to end is the work, or a task that failed.
            try await group.next()
            group.cancelAll()
        }
    }

    /// The second look begins when the first is complete. It may begin again, and even the first
    /// one, when the database loses commits.
    private func lookAtEverybody(_ work: Work) async throws {
        try await work.stoppedApps.adopt()
        if let sweep {
            try await sweep.sweep(
                run, as: work.recorder.worker, asking: asking, before: settings.deadline,
                in: database, observe: observe)
            sweptRefunds.take(try await database.sweeps.refunds(in: run.id))
        }
        repeat {
            try await firstPass(work)
            try await cutSecondLook()
            try await secondLook(work)
        } while try await hasMore(work.recorder)
        work.invalidRows.finish()
    }

    private struct Work: Sendable {
        let task: UserTask
        let recorder: Recorder
        let invalidRows: InvalidRowLog
        let stoppedApps: StoppedApps
    }

    // MARK: The first pass

    /// Leases batches and looks at their users, until no batch is free.
    private func firstPass(_ work: Work) async throws {
        let look = FirstPass(
            run: run, database: database, recorder: work.recorder, meter: work.task.meter,
            invalidRows: work.invalidRows,
            users: BoundedQueue(capacity: max(32, settings.inFlight)), observe: observe)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while let batch = try await lease(.first, for: work.recorder) {
                    try await look.read(batch)
                }
                look.users.finish()
            }
            group.addTask {
                try await forEach(in: look.users, atMost: settings.inFlight) { user in
                    try await work.task.look(at: user)
                }
            }
            // `waitForAll` would not cancel the other task after an error.
            while try await group.next() != nil {}
        }
        try await work.recorder.flush()
    }

    private func lease(_ looks: Looks, for recorder: Recorder) async throws -> Batch? {
        let batch = try await database.leases.lease(
            batchOf: run.id, for: recorder.worker, excluding: recorder.heldBatches,
            isFirstPass: looks == .first, early: settings.deadline?.isPast ?? false)
        // Rows without a user do not pass through the recorder.
        if let batch, !batch.isWithoutUser { recorder.hold(batch) }
        return batch
    }

    /// Consecutive attempts at a batch that may end without a recorded user. After them the batch
    /// is skipped: the rest of its users are recorded without a request to Apple.
    static let mostAttempts = 5

    // MARK: The second look

    private func cutSecondLook() async throws {
        guard run.asksApple else { return }
        if let cut = try await database.secondLook.cut(of: run.id) {
            observe(.secondLook(users: cut.users, groups: cut.groups))
        }
    }

    private func secondLook(_ work: Work) async throws {
        while let batch = try await lease(.second, for: work.recorder) {
            let look = SecondLook(
                batch: batch, run: run, database: database, task: work.task,
                asking: asking, settings: settings, observe: observe)
            try await look.examine()
        }
        try await work.recorder.flush()
    }

    // MARK: Waiting for others

    private enum Looks { case first, second }

    /// Whether batches may become free: other workers hold some, expired leases are taken over, and
    /// a failover undoes batches that were done. Sleeps briefly when none is free.
    private func hasMore(_ recorder: Recorder) async throws -> Bool {
        guard
            let status = try await database.leases.status(
                of: run.id, excluding: recorder.heldBatches), status.isCut
        else { throw RunLost(run: run.id) }
        switch status.state {
        case .published, .held: return false
        case .failed, .abandoned, .retracted: throw DatabaseError.ended(run.id)
        case .open: break
        }
        guard status.hasWork else { return false }
        if try await database.leases.freeOrphaned(of: run.id, excluding: recorder.worker) == 0 {
            try await ContinuousClock().sleep(for: .milliseconds(500))
        }
        return true
    }

    /// Keeps this worker registered. In a nightly run also takes over the run lock when its holder
    /// is gone, so that no other nightly run begins. Repeats until the task is cancelled.
    private func keepLock() async throws {
        while true {
            try await ContinuousClock().sleep(for: .milliseconds(250))
            await database.workers.keepLock(ofRunOverEverything: run.makesHistory)
        }
    }
}
