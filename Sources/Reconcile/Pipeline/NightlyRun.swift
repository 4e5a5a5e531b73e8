/// A nightly run from start to published reports.
///
/// 1. The process opens a new run with an `as_of` instant, resumes an unfinished one, or joins one.
/// 2. The planner cuts the users into batches. Workers lease the batches.
/// 3. Workers ask Apple about every user, judge and record the user (`RunWorker`). Users with a
///    refused receipt get a second look after all others are recorded. A recorded user has a row in
///    the database, so resuming needs no other state.
/// 4. One worker claims publication, compares users with each other and checks the control totals
///    (`ClosedRun`).
/// 5. It publishes the reports from the database. Its publication number is checked before the
///    reports become visible, so that two workers never publish the same run.
package struct NightlyRun: Sendable {
    let request: NightlyRun.Request
    let database: Database
    let observe: @Sendable (RunEvent) -> Void
    /// Makes a worker for the opened run, with the settings that the run is judged by.
    let worker: @Sendable (OpenedRun) throws -> RunWorker

    /// - Parameter observe: called from any task; must return quickly.
    package init(
        _ request: NightlyRun.Request, database: Database,
        worker: @escaping @Sendable (OpenedRun) throws -> RunWorker,
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.request = request
        self.database = database
        self.worker = worker
        self.observe = observe
    }

    /// Calls `publish` to write the reports, or `elsewhere` when another worker has published the
    /// run. Both return how the process ends.
    package func execute<Ending: Sendable>(
        publish: (ClosedRun) async throws -> Ending,
        elsewhere: (OpenedRun) async throws -> Ending
    ) async throws -> Ending {
        var opened = try await open()
        while true {
            do {
                return try await complete(opened, publish: publish, elsewhere: elsewhere)
            } catch let lost as RunLost {
                observe(.warning(lost.description))
                opened = try await openAgain(after: opened)
            }
        }
    }

    private func complete<Ending: Sendable>(
        _ opened: OpenedRun, publish: (ClosedRun) async throws -> Ending,
        elsewhere: (OpenedRun) async throws -> Ending
    ) async throws -> Ending {
        do {
            let worker = try worker(opened)
            let guards = request.guards.adopting(opened.shared?.guards)
            var effort = try await reconcile(opened, by: worker)
            while true {
                switch try await claimPublication(of: opened.run, for: effort.worker) {
                case .published: return try await elsewhere(opened)
                case .workLeft:
                    observe(.commitsAreLost)
                    effort = try await reconcile(opened, by: worker)
                case .claimed(let number):
                    let closed = ClosedRun(
                        opened, effort: effort, publication: number, guards: guards, by: worker,
                        in: database)
                    do {
                        return try await database.retrying { try await publish(closed) }
                    } catch {
                        guard await isTakenOver(closed, error) else { throw error }
                        // Another worker has claimed publication, or a failover undid the claim.
                    }
                }
            }
        } catch {
            // A cancelled run, or one that lost its database, stays open and can be resumed. A run
            // with a permanent error is marked as failed.
            if !Task.isCancelled, Self.wouldRecurOnRetry(error) {
                try? await database.runs.end(opened.run.id, as: .failed, at: request.now())
            }
            throw error
        }
    }

    private func open() async throws -> OpenedRun {
        switch request.mode {
        case .join: try await join()
        case .replay(let run): try await replay(run)
        case .new: try await begin(request.scope, asOf: request.asOf ?? request.startedAt)
        case .resumeOrNew:
            if let unfinished = try await unfinished() {
                try await resume(unfinished)
            } else {
                try await begin(request.scope, asOf: request.asOf ?? request.startedAt)
            }
        }
    }

    /// The unfinished run to resume. For a run over everything the caller must hold the run lock.
    private func unfinished() async throws -> OpenedRun.Candidate? {
        let open = try await database.runs.findOpen(
            settings: request.settings(nil), scope: request.scope, isTrial: request.isTrial)
        guard let open,
            open.mayBeResumed(
                asOf: request.asOf, now: request.startedAt, within: request.resumeWithin)
        else { return nil }
        return open
    }

    /// Continues a run that a process left unfinished: under its id and `as_of`, with the settings
    /// that all its workers share. Recorded users stay as they are; the batches that are left are
    /// leased and reconciled like those of a new run (`reconcile`).
    private func resume(_ unfinished: OpenedRun.Candidate) async throws -> OpenedRun {
        let run = unfinished.run
        _ = try await database.workers.register(in: run.id, as: request.workerName)
        let plan = try await database.planner.plan(of: run)
        let left = try await database.reports.totals(of: run.id).batchesLeft
        observe(.started(run, receipts: plan.receipts, users: plan.users))
        observe(
            .resumed(run, batchesDone: max(0, plan.batches - left), batches: plan.batches))
        // The views may have been changed since the run was opened.
        try await checkViews(
            of: run, guards: request.guards.adopting(unfinished.shared.guards))
        if run.asksApple { try await request.setRates(database, !run.makesHistory) }
        return OpenedRun(run: run, plan: plan, shared: unfinished.shared)
    }

    private func reconcile(_ opened: OpenedRun, by worker: RunWorker) async throws
        -> RunWorker.Effort
    {
        let run = opened.run
        return try await worker.reconcile(opened.plan) { [request, database] in
            guard !opened.isJoined, run.asksApple else { return }
            try await request.setRates(database, !run.makesHistory)
        }
    }

    /// Opens a run in place of one that the database has lost. A worker that had joined waits for
    /// the process that opened it.
    private func openAgain(after lost: OpenedRun) async throws -> OpenedRun {
        guard lost.isJoined else {
            if lost.run.makesHistory { try await database.workers.lock() }
            return try await open()
        }
        let start = ContinuousClock.now
        while true {
            do {
                return try await join()
            } catch let refusal as JoinRefusal {
                guard refusal.run == nil, start.duration(to: .now) < .seconds(60) else {
                    throw refusal
                }
                try await ContinuousClock().sleep(for: .milliseconds(500))
            }
        }
    }

    private func isTakenOver(_ closed: ClosedRun, _ error: any Error) async -> Bool {
        if let error = error as? DatabaseError { return error.isTakenOver }
        // What a failover undoes while the reports are written also shows as numbers that disagree.
        do {
            try await closed.requirePublication()
            return false
        } catch {
            return (error as? DatabaseError)?.isTakenOver ?? false
        }
    }

    private enum Claim {
        /// This worker may publish, under this number.
        case claimed(Int)
        case published
        /// A failover undid the record of users.
        case workLeft
    }

    /// Waits while another worker publishes. The claim of a worker that died is free again.
    private func claimPublication(of run: Run, for worker: Int) async throws -> Claim {
        let start = ContinuousClock.now
        var hasWarned = false
        while true {
            if let claimed = try await database.runs.claimPublication(of: run.id, for: worker) {
                return .claimed(claimed)
            }
            guard let status = try await database.leases.status(of: run.id), status.isCut else {
                throw RunLost(run: run.id)
            }
            switch status.state {
            case .published, .held: return .published
            case .failed, .abandoned, .retracted: throw DatabaseError.ended(run.id)
            case .open: if status.hasWork { return .workLeft }
            }
            if !hasWarned, start.duration(to: .now) > .seconds(60) {
                hasWarned = true
                observe(.publisherIsSlow)
            }
            try await ContinuousClock().sleep(for: .milliseconds(500))
        }
    }

    private static func wouldRecurOnRetry(_ error: any Error) -> Bool {
        switch error {
        case is ControlsError: true
        case let error as any RunFailure: error.wouldRecur
        case let error as DatabaseError: error.wouldRecur
        default: false
        }
    }
}

/// An error that ends a run and says whether a resumed run would fail with it again.
package protocol RunFailure: Error {
    var wouldRecur: Bool { get }
}

extension DatabaseError {
    fileprivate var isTakenOver: Bool {
        if case .notOpen = reason { true } else { false }
    }
}

extension RunEvent {
    fileprivate static let publisherIsSlow = RunEvent.warning(
        "All users are recorded, but the worker that publishes the run has not finished. It may be"
            + " suspended: continue its process, or end it or its database session; then this"
            + " worker publishes.")
}
