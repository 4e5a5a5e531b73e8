internal import Glibc
internal import Reconcile

/// Builds a `NightlyRun` from the command line's settings, and an exit status from its result.
struct RunWiring: Sendable {
    let configuration: Configuration
    let inputs: RunInputs
    let catalog: Catalog
    let startedAt: Instant
    let reports: ReportsDirectory
    let database: Database
    let console: Console

    func execute() async throws -> Ending {
        let run = NightlyRun(
            request, database: database, worker: worker, observe: console.observe)
        do {
            return try await run.execute(
                publish: { closed in try await publish(closed) },
                elsewhere: { opened in try await publishedElsewhere(opened) })
        } catch let refusal as JoinRefusal {
            throw Ending(refusal)
        }
    }

    private var request: NightlyRun.Request {
        let configuration = configuration
        let settings = ValidationSettings(configuration, inputs)
        var request = NightlyRun.Request(
            mode: configuration.mode, scope: configuration.scope, asOf: configuration.asOf,
            startedAt: startedAt, isOffline: configuration.isOffline,
            resumeWithin: configuration.resumeWithin,
            usersPerBatch: configuration.usersPerBatch, evidence: configuration.evidence,
            codeVersion: Version.text, workerName: WorkerName.text,
            settings: { [apps = inputs.apiKeys.apps] replayed in
                configuration.inheriting(replayed).outcomeSettings(replayed?.apiApps ?? apps)
            },
            setRates: { database, isPartial in
                for server in AppleServer.allCases {
                    let rate = settings.rate(of: server)
                    try await database.rates.set(
                        rate, burst: settings.sharedBurst(of: server), for: server,
                        isPartial: isPartial)
                }
            },
            now: { .now })
        request.isTrial = configuration.isTrial
        request.csvDialect = configuration.csvDialect
        request.unitDays = configuration.unitDays
        request.guards = Guards(configuration, inputs)
        request.abandoned = { run in await withdraw(run) }
        return request
    }

    /// Marks the folder of a run that crashed after its folder was published and before it was
    /// recorded. A new run reports the same findings again.
    private func withdraw(_ run: RunID) async {
        do {
            let newest = try await database.knownRuns.newest().first { !$0.isHeld }?.run
            let why = "It was interrupted before it was recorded, and a later run started anew."
            let folder = MarkedFolder(.retracted, run: run, by: "reconcile-job", why: why, at: .now)
            let isThere = try folder.publish(
                in: reports, newest: newest, onlyFromHere: true)
            guard isThere else { return }
            console.observe(
                .warning(
                    "The folder \(run) exists, but its run was not recorded: later runs ignore it."
                        + " RETRACTED.json in it says so."))
        } catch {
            console.observe(
                .warning(
                    "The folder of run \(run), which later runs ignore, could not be marked:"
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
        if !opened.isJoined, opened.run.csvDialect != configuration.csvDialect {
            console.observe(
                .warning(
                    "The resumed run keeps --csv-dialect \(opened.run.csvDialect.rawValue), with"
                        + " which it began. For another one begin anew (--new)."))
        }
        if !opened.isJoined, let units = opened.run.units, units.days != configuration.unitDays {
            console.observe(
                .warning(
                    "The resumed run keeps --units-days \(units.days), with which it began. For"
                        + " others begin anew (--new)."))
        }
        if configuration.hasOtherGuards(than: opened.shared) {
            console.observe(
                .warning(
                    "The run keeps the guards' thresholds with which it began. For others begin"
                        + " anew (--new)."))
        }
        let wiring = try SourceWiring(
            inputs, ValidationSettings(configuration, inputs), catalog: catalog,
            choice: configuration.source, apps: opened.replayed?.apiApps,
            observe: { [console] change in console.observe(.pace(change)) })
        let asking = wiring.asking(
            try wiring.source(of: opened.run, in: database),
            tokens: database.rates.tokenSource(), log: requestLog)
        let deadline = configuration.maxRuntime.map { Deadline(after: $0) }
        var settings = RunWorker.Settings(
            inFlight: configuration.inFlight, deadline: deadline, workerName: WorkerName.text,
            evidence: configuration.evidence, outagePatience: configuration.outagePatience)
        settings.keepsReceipts = configuration.keepsReceipts
        return RunWorker(
            opened.run, database: database, asking: asking,
            judge: Judge(
                catalog: catalog,
                settings: JudgingSettings(
                    configuration, asOf: opened.run.asOf,
                    knowsLaterFacts: opened.run.knowsLaterFacts, units: opened.run.units)),
            sweep: configuration.sweepsRefunds && opened.run.mayBeSwept ? wiring.sweep() : nil,
            settings: settings, observe: console.observe)
    }

    /// Nil unless the log level is debug, so that request lines are not even formatted.
    private var requestLog: (@Sendable (RequestLine) -> Void)? {
        guard configuration.logLevel == .debug else { return nil }
        return { [console] line in console.observe(.requested(line)) }
    }

    private func warn(about run: Run) {
        if run.isOffline {
            console.observe(
                .warning(
                    "This run is judged offline: nothing is sent, and changes after a receipt was"
                        + " issued are unknown. Leave --offline out to call Apple."))
        }
        if let folder = configuration.roots {
            console.observe(
                .warning(
                    "This run trusts receipts signed under the certificates in \(folder), and not"
                        + " under Apple's. Leave --roots out and RECONCILE_ROOTS unset except in"
                        + " tests."))
        }
    }

    private func publish(_ closed: ClosedRun) async throws -> Ending {
        let configuration = configuration(of: closed.opened)
        let exitRules = ExitRules(configuration)
        let currencies = Set(
            catalog.products.values.compactMap(\.currency).compactMap(Currency.init))
        let summary = try await closed.summary(currencies: currencies, status: exitRules.status)
        let publication = Publication(
            configuration: configuration, reports: reports, console: console,
            failure: closed.effort.mostFrequentFailure, pace: closed.effort.pace)
        let ending: Ending
        do {
            ending = try await publication.conclude(
                summary, database.reports.tables(of: closed.run.id),
                fence: { try await closed.requirePublication() },
                note: { try await closed.finish(summary, $0, at: .now) })
        } catch let error as ReportError {
            throw Ending(ofRun: error)
        }
        if summary.run.makesHistory, summary.status != .held {
            await prune()
            removeOldReports()
        }
        return ending
    }

    /// The exit status for this process when another worker has published the run.
    private func publishedElsewhere(_ opened: OpenedRun) async throws -> Ending {
        guard !opened.isJoined else {
            return Ending(
                .complete, "Another worker has published the run; its log says how the run ended.")
        }
        let summary = try await database.published(opened.run)
        console.published(summary)
        let folder = configuration.reports + "/" + opened.run.folderName
        let ending = ExitRules(configuration).ending(summary, in: folder)
        return Ending(ending.exit, ending.message + " Another worker has published it.")
    }

    /// A failure is only a warning, because the run is already published.
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

    /// A failure is only a warning, because the run is already published.
    private func removeOldReports() {
        guard let nights = OldFolders(configuration, in: reports) else { return }
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
            "Run \(run) uses other settings. Join it with its own --as-of, --settle, "
                + "--tolerance, --event-horizon, --offline, --roots and scope, and the same "
                + "release.")
    }
}

extension Ending: RunFailure {
    /// A run in which no request was answered is not resumed: a new run sends its receipts again.
    var wouldRecur: Bool { exit == .unavailable }
}

extension Configuration {
    fileprivate var mode: NightlyRun.Request.Mode {
        if joins { return .join }
        if let replay { return .replay(replay) }
        return startsAnew ? .new : .resumeOrNew
    }
}

/// Identifies this process among a run's workers: host (for example a pod) and process id.
private enum WorkerName {
    static var text: String {
        var name = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, however long the name is.
        let isKnown = gethostname(&name, name.count - 1) == 0
        let host = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return "\(isKnown ? String(decoding: host, as: UTF8.self) : "unknown")/\(getpid())"
    }
}
