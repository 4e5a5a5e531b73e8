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
    let request: RunRequest
    let database: Database
    let observe: @Sendable (RunEvent) -> Void
    /// Makes a worker for the opened run, with the settings that the run is judged by.
    let worker: @Sendable (OpenedRun) throws -> RunWorker

    /// - Parameter observe: called from any task; must return quickly.
    package init(
        _ request: RunRequest, database: Database,
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
        let opened = try await open()
        do {
            let effort = try await worker(opened).reconcile(opened.plan)
            let guards = request.guards.adopting(opened.shared?.guards)
            while let number = try await claimPublication(of: opened.run, effort) {
                let closed = ClosedRun(
                    opened, effort: effort, publication: number, guards: guards, in: database)
                do {
                    return try await database.retrying { try await publish(closed) }
                } catch let error as DatabaseError where error.isTakenOver {
                    // Another worker has claimed publication: wait for it.
                }
            }
            return try await elsewhere(opened)
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

    /// The publication number, once this worker may publish; nil once another worker has published
    /// the run. The claim of a worker that died is free again.
    private func claimPublication(of run: Run, _ effort: RunEffort) async throws -> Int? {
        let start = ContinuousClock.now
        var hasWarned = false
        while true {
            let claimed = try await database.runs.claimPublication(of: run.id, for: effort.worker)
            if let claimed { return claimed }
            switch try await database.leases.status(of: run.id, for: effort.worker).state {
            case .published, .held: return nil
            case .failed, .abandoned, .retracted: throw DatabaseError.ended(run.id)
            case .open: break
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
