internal import Reconcile

/// From the settings of the command line to a `NightlyRun`, and from its end to an exit status.
struct RunWiring: Sendable {
    let configuration: Configuration
    let inputs: RunInputs
    let catalog: Catalog
    let startedAt: Instant
    let database: Database
    let console: Console

    func pass() async throws -> Ending {
        let run = NightlyRun(
            request, database: database, worker: worker, observe: console.observe)
        do {
            return try await run.pass(
                publish: { closed in try await publish(closed) },
                elsewhere: { opened in try await publishedElsewhere(opened) })
        } catch let refusal as JoinRefusal {
            throw Ending(refusal)
        }
    }

    private var request: RunRequest {
        let configuration = configuration
        let settings = ValidationSettings(configuration, inputs)
        var request = RunRequest(
            mode: configuration.mode, scope: configuration.scope, asOf: configuration.asOf,
            startedAt: startedAt, isOffline: configuration.isOffline,
            resumeWithin: configuration.resumeWithin,
            usersPerBatch: configuration.usersPerBatch, evidence: configuration.evidence,
            codeVersion: Version.text, workerName: WorkerName.text,
            settings: { replayed in configuration.inheriting(replayed).outcomeSettings },
            setRates: { database, isPartial in
                for (environment, rate) in [
                    (StoreEnvironment.production, settings.rate), (.sandbox, settings.sandboxRate),
                ] {
                    try await database.rates.set(
                        rate, burst: settings.sharedBurst(rate: rate), for: environment,
                        isPartial: isPartial)
                }
            },
            now: { .now })
        request.isTrial = configuration.isTrial
        request.csvDialect = configuration.csvDialect
        request.guards = Guards(configuration, inputs.secrets)
        request.gaveUp = { run in await withdraw(run) }
        return request
    }

    /// A run may have been cut off when its folder stood, and before it was recorded: what it tells
    /// is told again.
    private func withdraw(_ run: RunID) async {
        do {
            let newest = try await database.nights.newest().first { !$0.isHeld }?.run
            let why = "It was cut off before it was recorded, and a later run began anew."
            let folder = MarkedFolder(.retracted, run: run, by: "reconcile-job", why: why, at: .now)
            let isThere = try folder.publish(
                in: configuration.reports, newest: newest, onlyFromHere: true)
            guard isThere else { return }
            console.observe(
                .warning(
                    "The folder \(run) stands, and the run was not recorded: it counts for nothing."
                        + " RETRACTED.json in it says so."))
        } catch {
            console.observe(
                .warning(
                    "The folder of run \(run), which counts for nothing, could not be marked:"
                        + " \(error)"))
        }
    }

    private func configuration(of opened: OpenedRun) -> Configuration {
        configuration.inheriting(opened.replayed)
            .adopting(opened.shared, isJoined: opened.isJoined)
    }

    private func worker(_ opened: OpenedRun) throws -> RunWorker {
        let configuration = configuration(of: opened)
        warn(about: opened.run)
        let validator = try AppStoreValidator(
            ValidationSettings(configuration, inputs), secrets: inputs.secrets,
            tokens: database.rates.tokenSource(), roots: inputs.roots,
            catalogued: Set(catalog.products.keys), now: { .now }, log: requestLog,
            observe: { [console] change in console.observe(.pace(change)) })
        let deadline = configuration.maxRuntime.map { ContinuousClock.now + $0 }
        var settings = RunSettings(
            inFlight: configuration.inFlight, deadline: deadline, workerName: WorkerName.text,
            evidence: configuration.evidence, outagePatience: configuration.outagePatience)
        settings.keepsReceipts = configuration.keepsReceipts
        return RunWorker(
            opened.run, database: database, validator: validator,
            judge: Judge(
                catalog: catalog, settings: JudgingSettings(configuration, opened.run)),
            settings: settings, observe: console.observe)
    }

    /// Nil at any other level than debug: the lines are not even made.
    private var requestLog: (@Sendable (RequestLine) -> Void)? {
        guard configuration.logLevel == .debug else { return nil }
        return { [console] line in console.observe(.requested(line)) }
    }

    private func warn(about run: Run) {
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
    }

    private func publish(_ closed: ClosedRun) async throws -> Ending {
        let configuration = configuration(of: closed.opened)
        let verdict = Verdict(configuration)
        let currencies = Set(
            catalog.products.values.compactMap(\.currency).compactMap(Currency.init))
        let summary = try await closed.summary(currencies: currencies, status: verdict.status)
        let publication = Publication(
            configuration: configuration, console: console,
            failure: closed.effort.foremostFailure, pace: closed.effort.pace)
        let ending = try await publication.conclude(
            summary, database.reports.tables(of: closed.run.id),
            fence: { try await closed.requirePublication() },
            note: { try await closed.finish(summary, $0, at: .now) })
        if summary.run.isNight, summary.status != .held {
            await prune()
            removeOldReports()
        }
        return ending
    }

    /// How a run ends for who began it when a worker that joined it was the one to publish.
    private func publishedElsewhere(_ opened: OpenedRun) async throws -> Ending {
        guard !opened.isJoined else {
            return Ending(
                .complete, "The run is published by another worker, which says how it ended.")
        }
        let summary = try await database.published(opened.run)
        console.published(summary)
        let folder = configuration.reports + "/" + opened.run.folderName
        let ending = Verdict(configuration).ending(summary, in: folder)
        return Ending(ending.exit, ending.message + " Another worker has published it.")
    }

    /// Removes what is older than --keep-history. The run is published: what fails is a warning.
    private func prune() async {
        guard let age = configuration.keepHistory else { return }
        do {
            let pruned = try await database.pruning.prune(before: .now - age)
            if pruned.runs > 0 { console.observe(.pruned(runs: pruned.runs)) }
        } catch {
            console.observe(
                .warning("History older than --keep-history was not removed: \(error)"))
        }
    }

    /// Removes the folders that are older than the last nights of --keep. The same holds.
    private func removeOldReports() {
        guard let nights = KeptNights(configuration) else { return }
        do throws(ReportError) {
            let folders = try nights.remove()
            if !folders.removed.isEmpty {
                console.observe(.removedReports(folders: folders.removed.count))
            }
            for folder in folders.kept {
                console.observe(.warning("--keep does not remove the old folder \(folder)."))
            }
        } catch {
            console.observe(.warning("Folders older than --keep were not removed: \(error)"))
        }
    }
}

extension Ending {
    init(_ refusal: JoinRefusal) {
        guard let run = refusal.run else {
            self.init(
                .locked,
                "There is no unfinished run to join. Start one without --join first.")
            return
        }
        self.init(
            .usage,
            "Run \(run) is judged by other settings. Join it with its own --as-of, --settle, "
                + "--tolerance, --event-horizon, --offline, --roots and scope, and the same "
                + "release.")
    }
}

extension Ending: RunFailure {
    /// A run in which no request was answered is not resumed: its receipts are asked about anew.
    var wouldComeAgain: Bool { exit == .unavailable }
}

extension Configuration {
    fileprivate var mode: RunRequest.Mode {
        if joins { return .join }
        if let replay { return .replay(replay) }
        return startsAnew ? .new : .resumeOrNew
    }
}
