extension NightlyRun {
    /// A request to open, resume, join or replay a run.
    package struct Request: Sendable {
        package enum Mode: Sendable {
            /// Resume an unfinished run if allowed, else open a new one.
            case resumeOrNew
            case new
            case join
            case replay(RunID)
        }

        var mode: Mode
        var scope: Run.Scope
        /// Nil: the start of this run, or the `as_of` of the replayed run.
        var asOf: Instant?
        var startedAt: Instant
        var isOffline: Bool
        package var isTrial = false
        package var csvDialect = CSVDialect.plain
        /// Of how many days a run that may count units counts them.
        package var unitDays = 62
        var resumeWithin: Duration
        var usersPerBatch: Int
        var evidence: Evidence
        package var guards = Guards.off
        var codeVersion: String
        /// The settings that change the findings, as JSON. The argument is the replayed run, whose
        /// settings are inherited.
        var settings: @Sendable (OpenedRun.Replayed?) -> String
        var workerName: String
        /// Called for each unfinished run that is abandoned for this one.
        package var abandoned: @Sendable (RunID) async -> Void = { _ in }
        /// Sets the rates of the rate limit that all workers share.
        var setRates: @Sendable (Database, _ isPartial: Bool) async throws -> Void
        var now: @Sendable () -> Instant

        package init(
            mode: Mode, scope: Run.Scope, asOf: Instant?, startedAt: Instant,
            isOffline: Bool = false,
            resumeWithin: Duration = .seconds(12 * 3_600), usersPerBatch: Int = 200,
            evidence: Evidence = .findings, codeVersion: String, workerName: String = "worker",
            settings: @escaping @Sendable (OpenedRun.Replayed?) -> String,
            setRates: @escaping @Sendable (Database, _ isPartial: Bool) async throws -> Void = {
                _, _ in
            },
            now: @escaping @Sendable () -> Instant
        ) {
            self.mode = mode
            self.scope = scope
            self.asOf = asOf
            self.startedAt = startedAt
            self.isOffline = isOffline
            self.resumeWithin = resumeWithin
            self.usersPerBatch = usersPerBatch
            self.evidence = evidence
            self.codeVersion = codeVersion
            self.workerName = workerName
            self.settings = settings
            self.setRates = setRates
            self.now = now
        }
    }
}

extension NightlyRun.Request {
    fileprivate func unitWindow(
        of scope: Run.Scope, asOf: Instant, isReplay: Bool
    ) -> UnitWindow? {
        guard scope.isEverything, !isReplay, !isOffline else { return nil }
        return UnitWindow(days: unitDays, before: asOf)
    }
}

package struct JoinRefusal: Error, Equatable {
    /// The unfinished run, whose settings, scope or `as_of` differ; nil when there is none.
    package let run: RunID?
}

extension NightlyRun {
    func begin(
        _ scope: Run.Scope, asOf: Instant, replaying replayed: OpenedRun.Replayed? = nil
    ) async throws -> OpenedRun {
        // Checked first, so that an unknown user or receipt leaves no open run.
        try await database.planner.requireExistence(of: scope)
        let run = Run(
            id: RunID(startedAt: request.startedAt, suffix: .random(in: .min ... .max)),
            asOf: asOf, scope: scope, replayOf: replayed?.run.id, isOffline: request.isOffline,
            isTrial: request.isTrial, csvDialect: request.csvDialect,
            units: request.unitWindow(of: scope, asOf: asOf, isReplay: replayed != nil))
        _ = try await database.workers.register(in: run.id, as: request.workerName)
        let abandoned = try await database.runs.open(
            run, codeVersion: request.codeVersion, settings: request.settings(replayed),
            keeping: run.asksApple ? request.evidence : .none)
        for earlier in abandoned {
            observe(.abandoned(earlier))
            await request.abandoned(earlier)
        }
        try await checkViews(of: run, guards: request.guards)
        let plan = try await database.planner.cut(
            run, usersPerBatch: replayed?.usersPerBatch ?? request.usersPerBatch)
        observe(.started(run, receipts: plan.receipts, users: plan.users))
        if run.asksApple {
            try await request.setRates(database, !run.makesHistory)
        }
        return OpenedRun(run: run, plan: plan, replayed: replayed)
    }

    /// Warns before the first request of anything in the views that will hold the run.
    func checkViews(of run: Run, guards: Guards) async throws {
        guard run.isGuarded else { return }
        try await database.figures.recordSource(of: run.id)
        let figures = try await database.figures.figures(of: run.id)
        for held in guards.judging(run, by: figures).implausibleViews {
            observe(.implausible(held))
        }
    }

    /// This process publishes the run if the other workers are gone.
    func join() async throws -> OpenedRun {
        let open = try await database.runs.findOpen(
            settings: request.settings(nil), scope: request.scope, isTrial: request.isTrial,
            toJoin: true)
        guard let open, open.isCut, open.hasWorker else { throw JoinRefusal(run: nil) }
        let isSameScope = open.hasSameScope || request.scope.isEverything
        let isSameInstant = request.asOf == nil || request.asOf == open.run.asOf
        guard open.hasSameRules, isSameScope, isSameInstant else {
            throw JoinRefusal(run: open.run.id)
        }
        _ = try await database.workers.register(in: open.run.id, as: request.workerName)
        observe(.joined(open.run))
        let plan = try await database.planner.plan(of: open.run)
        observe(.started(open.run, receipts: plan.receipts, users: plan.users))
        return OpenedRun(run: open.run, plan: plan, shared: open.shared, isJoined: true)
    }

    /// Judges the kept answers of an earlier run again. Settings that are not given are inherited.
    func replay(_ id: RunID) async throws -> OpenedRun {
        let former = try await database.runs.replayable(id)
        let scope = request.scope.isEverything ? former.run.scope : request.scope
        return try await begin(
            scope, asOf: request.asOf ?? former.run.asOf, replaying: former)
    }
}
