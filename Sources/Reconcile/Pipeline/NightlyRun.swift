/// A run from its opening, or from where another process left it, to its reports: the whole story.
///
/// 1. A run is opened at one instant, `as_of`; or an unfinished one is resumed, or joined.
/// 2. Its users are cut into batches, which workers lease.
/// 3. Every user is asked about, judged and recorded; those of whom Apple refused a receipt are put
///    off, and looked at a second time when everybody else is recorded (`RunWorker`). A user with a
///    row is done: that is all that resuming needs to know.
/// 4. One worker closes the run: what is compared across users, and the controls (`RunClosing`).
/// 5. It publishes the reports, from the database. Its number is checked before anything becomes
///    visible, so that two workers never publish at once.
package struct NightlyRun: Sendable {
    let request: RunRequest
    let database: Database
    let observe: @Sendable (RunEvent) -> Void
    /// A worker for the run that was opened, with the settings that it is judged by.
    let worker: @Sendable (OpenedRun) throws -> RunWorker

    /// - Parameters:
    ///   - worker: makes the worker once it is known which run it works on.
    ///   - observe: sees every event of the run; called from any task, so it must be quick.
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

    /// - Parameters:
    ///   - publish: writes the reports of a run that is closed, and says how it ends.
    ///   - elsewhere: says how it ends when another worker has published it.
    package func pass<Ending: Sendable>(
        publish: (ClosedRun) async throws -> Ending,
        elsewhere: (OpenedRun) async throws -> Ending
    ) async throws -> Ending {
        let opened = try await open()
        do {
            let effort = try await worker(opened).drain(opened.plan)
            let guards = request.guards.adopting(opened.isJoined ? opened.shared?.guards : nil)
            while let number = try await claimPublication(of: opened.run, effort) {
                let closed = ClosedRun(
                    opened, effort: effort, publication: number, guards: guards, in: database)
                do {
                    return try await database.retrying { try await publish(closed) }
                } catch let error as DatabaseError where error.isTakenOver {
                    // Another worker publishes now: it is waited for.
                }
            }
            return try await elsewhere(opened)
        } catch {
            // A run that was stopped, or that the database failed, stays open to be resumed. One
            // that would come to the same end again is marked.
            if !Task.isCancelled, Self.wouldFailAgain(error) {
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

    /// Waits until this worker may publish, or another has. When a publisher dies, its place is
    /// free.
    private func claimPublication(of run: Run, _ effort: RunEffort) async throws -> Int? {
        let start = ContinuousClock.now
        var hasWarned = false
        while true {
            let claimed = try await database.runs.claimPublication(of: run.id, for: effort.worker)
            if let claimed { return claimed }
            switch try await database.leases.standing(of: run.id, for: effort.worker).state {
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

    /// Whether an error would come again by itself if the run were resumed.
    private static func wouldFailAgain(_ error: any Error) -> Bool {
        switch error {
        case is ControlsError: true
        case let error as any RunFailure: error.wouldComeAgain
        case let error as DatabaseError: error.wouldComeAgain
        default: false
        }
    }
}

/// An end of a run that may be one which would come again by itself if the run were resumed.
package protocol RunFailure: Error {
    var wouldComeAgain: Bool { get }
}

extension DatabaseError {
    fileprivate var isTakenOver: Bool {
        if case .notOpen = reason { true } else { false }
    }
}

extension RunEvent {
    fileprivate static let publisherIsSlow = RunEvent.warning(
        "All users are recorded, and the worker that publishes the run has not finished: it may be"
            + " stopped. Continue it, or end its process or its session; then this one publishes.")
}
