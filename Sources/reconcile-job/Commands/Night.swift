internal import Reconcile

/// One run from its opening, or from where another process left it, to its reports.
struct Night: Sendable {
    let startedAt: Instant
    private(set) var configuration: Configuration
    let inputs: RunInputs
    let catalog: Catalog
    let database: Database
    let console: Console

    /// Removes what need not be kept of ended runs' answers. That it could not is no reason to lose
    /// a night.
    private func settleEvidence() async {
        do {
            try await database.settleEvidence()
        } catch {
            console.observe(
                .warning("Answers that are not kept are still there; the next run removes them."))
        }
    }

    /// Goes on with the run that was left open, if it may be; else begins one.
    func pass() async throws -> Ending {
        await settleEvidence()
        if let replayed = configuration.replay { return try await replay(replayed) }
        let plan: RunPlan
        let run: Run
        if let open = try await continuable() {
            run = open
            plan = try await database.plan(of: run)
            let left = try await database.totals(of: run.id).batchesLeft
            console.observe(.started(run, receipts: plan.receipts, users: plan.users))
            console.observe(
                .resumed(run, batchesDone: plan.batches - left, batches: plan.batches))
        } else {
            (run, plan) = try await begin(
                newRun(configuration.asOf ?? startedAt, over: configuration.scope),
                usersPerBatch: configuration.usersPerBatch)
            console.observe(.started(run, receipts: plan.receipts, users: plan.users))
        }
        if !run.isOffline { try await setRates() }
        return try await work(on: run, plan)
    }

    /// Works on a run that others have begun, and publishes it should they be gone by its end.
    func join() async throws -> Ending {
        let open = try await database.openRun(
            settings: configuration.outcomeSettings, scope: configuration.scope)
        guard let open, open.isCut, open.hasWorker, open.run.replayOf == nil else {
            throw Ending(
                .locked,
                "There is no run under way that could be joined. Start one without --join first.")
        }
        let isSameScope = open.hasSameScope || configuration.scope.isEverything
        let isSameInstant = configuration.asOf == nil || configuration.asOf == open.run.asOf
        guard open.hasSameRules, isSameScope, isSameInstant else {
            throw Ending(
                .usage,
                "Run \(open.run.id) is judged by other settings. Join it with its own --as-of, "
                    + "--settle, --tolerance, --event-horizon, --offline, --roots and scope, and "
                    + "the same release.")
        }
        console.observe(.joined(open.run))
        let plan = try await database.plan(of: open.run)
        console.observe(.started(open.run, receipts: plan.receipts, users: plan.users))
        var night = self
        night.configuration.adopt(open.shared)
        return try await night.work(on: open.run, plan)
    }

    /// Judges the answers of an earlier run again, by its settings where others are not given.
    private func replay(_ id: RunID) async throws -> Ending {
        let former = try await database.replayable(id)
        var night = self
        night.configuration.inherit(former)
        let scope = configuration.scope.isEverything ? former.run.scope : configuration.scope
        let (run, plan) = try await night.begin(
            newRun(configuration.asOf ?? former.run.asOf, over: scope, replayOf: id),
            usersPerBatch: former.usersPerBatch)
        console.observe(.started(run, receipts: plan.receipts, users: plan.users))
        return try await night.work(on: run, plan)
    }

    // MARK: Opening

    private func continuable() async throws -> Run? {
        guard !configuration.startsAnew else { return nil }
        let open = try await database.openRun(
            settings: configuration.outcomeSettings, scope: configuration.scope)
        guard let open,
            open.mayBeContinued(
                asOf: configuration.asOf, now: startedAt, within: configuration.resumeWithin)
        else { return nil }
        return open.run
    }

    private func newRun(_ asOf: Instant, over scope: RunScope, replayOf replayed: RunID? = nil)
        -> Run
    {
        let id = RunID(startedAt: startedAt, suffix: .random(in: .min ... .max))
        return Run(
            id: id, asOf: asOf, scope: scope, replayOf: replayed,
            isOffline: configuration.isOffline)
    }

    private func begin(_ run: Run, usersPerBatch: Int) async throws -> (Run, RunPlan) {
        let abandoned = try await database.open(
            run, codeVersion: Version.text, settings: configuration.outcomeSettings)
        for earlier in abandoned { console.observe(.abandoned(earlier)) }
        return (run, try await database.cutBatches(of: run, usersPerBatch: usersPerBatch))
    }

    private func setRates() async throws {
        let settings = ValidationSettings(configuration, inputs)
        for (environment, rate) in [
            (StoreEnvironment.production, settings.rate), (.sandbox, settings.sandboxRate),
        ] {
            try await database.setRate(
                rate, burst: settings.sharedBurst(rate: rate), for: environment)
        }
    }

    // MARK: Working

    private func work(on run: Run, _ plan: RunPlan) async throws -> Ending {
        do {
            return try await reconcileAndReport(run, plan)
        } catch {
            // A stopped run stays open, to be continued. One that would come to the same end
            // again is marked, when the database still can.
            if !Task.isCancelled, Self.isFinal(error) {
                try? await database.finish(run.id, as: .failed, at: .now)
            }
            throw error
        }
    }

    private func reconcileAndReport(_ run: Run, _ plan: RunPlan) async throws -> Ending {
        if run.isOffline {
            console.observe(
                .warning(
                    "This run is judged offline: nothing is sent, and what came after each receipt"
                        + " was made is not known. Leave --offline out to ask Apple."))
        }
        if let folder = configuration.roots {
            console.observe(
                .warning(
                    "Receipts are believed that the certificates in \(folder) vouch for, and"
                        + " Apple's are not. Leave --roots out, or RECONCILE_ROOTS unset, but for"
                        + " tests."))
        }
        let validator = try AppStoreValidator(
            ValidationSettings(configuration, inputs), secrets: inputs.secrets,
            tokens: database.tokenSource, roots: inputs.roots,
            catalogued: Set(catalog.products.keys), now: { .now },
            observe: { [console] change in console.observe(.pace(change)) })
        let deadline = configuration.maxRuntime.map { ContinuousClock.now + $0 }
        let reconciler = Reconciler(
            database: database, validator: validator,
            judge: Judge(catalog: catalog, settings: JudgingSettings(configuration, run)),
            settings: ReconcilerSettings(
                inFlight: configuration.inFlight, deadline: deadline,
                workerName: WorkerName.text),
            observe: console.observe)
        let effort = try await reconciler.reconcile(run, plan)
        guard try await reconciler.mayPublish(run) else {
            return Ending(
                .complete,
                "Run \(run.id) is published by another worker, which says how it ended.")
        }
        let ending = try await database.enduring {
            try await publish(run, failure: validator.foremostFailure, pace: effort.pace)
        }
        await settleEvidence()
        return ending
    }

    private func publish(
        _ run: Run, failure: String?, pace: RunPace?
    ) async throws -> Ending {
        let verdict = Verdict(configuration)
        let isPastMaxRuntime = try await database.wentPastMaxRuntime(run.id)
        let summary = try await database.summary(of: run) { receipts in
            verdict.status(of: receipts, isPastMaxRuntime: isPastMaxRuntime)
        }
        let publication = Publication(
            configuration: configuration, console: console, failure: failure, pace: pace)
        return try await publication.conclude(
            summary, findings: { database.findings(of: run.id, in: $0) },
            cleared: database.cleared(of: run.id), unverified: database.unverified(of: run.id),
            note: {
                try await database.finish(
                    run.id, as: .published, at: .now,
                    keeping: run.replayOf == nil && !run.isOffline
                        ? configuration.evidence : .none)
            })
    }

    /// Whether the run would end so again, if it were continued.
    private static func isFinal(_ error: any Error) -> Bool {
        switch error {
        case is ControlsError: true
        case let ending as Ending: ending.exit == .unavailable
        case let error as DatabaseError:
            if case .rejected(let code, _) = error.reason {
                // 53: out of memory or disk.
                code?.hasPrefix("53") != true
            } else {
                false
            }
        default: false
        }
    }
}

extension ValidationSettings {
    init(_ configuration: Configuration, _ inputs: RunInputs) {
        self.init()
        isOffline = configuration.isOffline
        productionURL = inputs.production?.text ?? productionURL
        sandboxURL = inputs.sandbox?.text ?? sandboxURL
        certificateFile = inputs.caFile
        rate = configuration.rate
        sandboxRate = configuration.effectiveSandboxRate
        // Rounded down, so that the law of the flag holds.
        burst = Int(min(configuration.effectiveBurst, 1_000_000_000))
        (timeout, connectTimeout) = (configuration.timeout, configuration.connectTimeout)
        (maxAttempts, backoff) = (configuration.maxAttempts, configuration.backoff)
        receiptDeadline = configuration.receiptDeadline
        outagePatience = configuration.outagePatience
        maxConnections = configuration.inFlight
        drain = StopSignals.drain
        userAgent = "reconcile-job/\(Version.release)"
    }
}

extension JudgingSettings {
    init(_ configuration: Configuration, _ run: Run) {
        self.init(
            asOf: run.asOf, settle: configuration.settle, tolerance: configuration.tolerance,
            eventHorizon: configuration.eventHorizon, isOffline: run.isOffline)
    }
}

extension Configuration {
    /// The settings that change what a run finds, as JSON. `servers` may differ between the workers
    /// of one run, and not between one that was left and one that goes on with it;
    /// `max_unverified` and `evidence`, which concern its end only, may differ always. `offline`
    /// and `roots` leave no mark where they are not given.
    fileprivate var outcomeSettings: String {
        let milliseconds = [
            ("event_horizon_ms", eventHorizon), ("settle_ms", settle), ("tolerance_ms", tolerance),
        ].map { name, duration in "\"\(name)\": \(duration.inMilliseconds)" }
        let servers = [productionURL, sandboxURL].map(PrintedText.json).joined(separator: ", ")
        let trust = roots.map { ", \"roots\": \(PrintedText.json($0))" } ?? ""
        return "{" + milliseconds.joined(separator: ", ") + (isOffline ? ", \"offline\": true" : "")
            + trust + ", \"servers\": [\(isOffline ? "" : servers)]"
            + ", \"max_unverified\": \"\(maxUnverified)\""
            + ", \"evidence\": \"\(evidence.rawValue)\"}"
    }

    /// Takes over the settings of the run that is joined, where no others are given. How long it
    /// may take is the business of whoever began it.
    fileprivate mutating func adopt(_ shared: OpenRun.SharedSettings) {
        maxRuntime = nil
        if !given.contains("rate") { rate = shared.rate ?? rate }
        if !given.contains("sandbox-rate") { sandboxRate = shared.sandboxRate ?? sandboxRate }
        evidence = shared.evidence.flatMap { Evidence(rawValue: $0) } ?? evidence
        guard let text = shared.maxUnverified else { return }
        maxUnverified = (try? FlagValue.allowance(text)) ?? maxUnverified
    }

    /// Takes over the settings of an earlier run, where no flag and no variable gives others.
    fileprivate mutating func inherit(_ former: ReplayableRun) {
        if !given.contains("settle") { settle = former.settle ?? settle }
        if !given.contains("tolerance") { tolerance = former.tolerance ?? tolerance }
        if !given.contains("event-horizon") { eventHorizon = former.eventHorizon ?? eventHorizon }
        guard !given.contains("max-unverified"), let text = former.maxUnverified else { return }
        maxUnverified = (try? FlagValue.allowance(text)) ?? maxUnverified
    }
}
