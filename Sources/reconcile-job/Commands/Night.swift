internal import Reconcile

/// One run from its opening to its reports.
struct Night: Sendable {
    let run: Run
    let configuration: Configuration
    let inputs: RunInputs
    let catalog: Catalog
    let database: Database
    let console: Console

    func pass() async throws -> Ending {
        let validator = try AppStoreValidator(
            ValidationSettings(configuration, inputs), secrets: inputs.secrets, now: { .now },
            observe: { [console] change in console.observe(.pace(change)) })
        let abandoned = try await database.open(
            run, codeVersion: Version.text, settings: configuration.outcomeSettings)
        for earlier in abandoned { console.observe(.abandoned(earlier)) }
        do {
            return try await reconcileAndReport(with: validator)
        } catch {
            // A stopped run stays open; a broken one is marked, when the database still can. One
            // that is published already is no longer open, and stays published.
            if !Task.isCancelled { try? await database.finish(run.id, as: .failed, at: .now) }
            throw error
        }
    }

    private func reconcileAndReport(with validator: AppStoreValidator) async throws -> Ending {
        let plan = try await database.cutBatches(
            of: run, usersPerBatch: configuration.usersPerBatch)
        console.observe(.started(run, receipts: plan.receipts, users: plan.users))
        let deadline = configuration.maxRuntime.map { ContinuousClock.now + $0 }
        let reconciler = Reconciler(
            database: database, validator: validator,
            judge: Judge(catalog: catalog, settings: JudgingSettings(configuration, run)),
            settings: ReconcilerSettings(inFlight: configuration.inFlight, deadline: deadline),
            observe: console.observe)
        let leftUnasked = try await reconciler.reconcile(run, plan)
        let verdict = Verdict(configuration)
        let summary = try await database.summary(of: run) { receipts in
            verdict.status(of: receipts, isPastMaxRuntime: leftUnasked > 0)
        }
        return try await Publication(configuration: configuration, console: console).conclude(
            summary, findings: { database.findings(of: run.id, in: $0) },
            cleared: database.cleared(of: run.id), unverified: database.unverified(of: run.id),
            note: { try await database.finish(run.id, as: .published, at: .now) })
    }
}

extension ValidationSettings {
    init(_ configuration: Configuration, _ inputs: RunInputs) {
        self.init()
        (productionURL, sandboxURL) = (inputs.production.text, inputs.sandbox.text)
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
        userAgent = "reconcile-job/\(Version.release)"
    }
}

extension JudgingSettings {
    init(_ configuration: Configuration, _ run: Run) {
        self.init(
            asOf: run.asOf, settle: configuration.settle, tolerance: configuration.tolerance,
            eventHorizon: configuration.eventHorizon)
    }
}

extension Configuration {
    /// The settings that change what a run finds, as JSON.
    fileprivate var outcomeSettings: String {
        let milliseconds = [
            ("event_horizon_ms", eventHorizon), ("settle_ms", settle), ("tolerance_ms", tolerance),
        ].map { name, duration in "\"\(name)\": \(duration.inMilliseconds)" }
        return "{" + milliseconds.joined(separator: ", ") + "}"
    }
}
