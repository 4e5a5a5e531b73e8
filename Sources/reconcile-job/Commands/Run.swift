internal import Reconcile

/// `reconcile-job run`: the checks before a run, and its wiring. `NightlyRun` does the work.
struct RunCommand: Sendable {
    private let configuration: Configuration
    private let console: Console

    init(_ configuration: Configuration, _ console: Console) {
        self.configuration = configuration
        self.console = console
    }

    /// The checks run cheapest first, in the documented order: flags (before this function), files
    /// and URLs, schema, reports folder, privileges, views, lock.
    func run() async throws -> Ending {
        let inputs = try RunInputs(configuration)
        let address = configuration.database?.text ?? ""
        let retry = DatabaseRetry(lockWait: configuration.lockWait, observe: console.observe)
        return try await Database.lend(address, connections: 4, retry: retry) { database in
            try await database.schema.check()
            let reports = try ReportFolder.check(
                configuration.reports, group: try configuration.group(),
                leavesNothing: configuration.isDryRun)
            try await checkPrivileges(on: database)
            try await compareClocks(database)
            let missing = try await database.views.check()
            for view in missing {
                console.observe(
                    .warning("The view reconcile.\(view) is missing; it is treated as empty."))
            }
            let database = database.lacking(missing)
            var catalog = try await database.catalog.read()
            catalog.downloadable = try await database.catalog.downloadable()
            if configuration.isDryRun {
                // A partial run, a replay and a trial remove nothing.
                let nights =
                    configuration.isOverEverything
                    ? OldFolders(configuration, in: reports) : nil
                for line in nights?.list(afterAnother: true) ?? [] {
                    try StandardStream.print(line + "\n")
                }
                await warnOfForgottenRuns(in: reports, database)
                return try await dryRun(database, inputs)
            }
            // Only runs over everything exclude each other.
            if configuration.isOverEverything {
                try await lock(database)
                await markForgottenRuns(in: reports, database)
            }
            let wiring = RunWiring(
                configuration: configuration, inputs: inputs, catalog: catalog, startedAt: .now,
                reports: reports, database: database, console: console)
            return try await wiring.execute()
        }
    }

    /// A dry run checks the same privileges as a run, so that it names the same missing ones.
    private func checkPrivileges(on database: Database) async throws {
        try await database.privileges.checkNeeded()
        guard !configuration.allowsWritableRole else { return }
        for sentence in try await database.privileges.checkReadOnlyRole() {
            console.observe(.warning(sentence))
        }
    }

    /// Without --as-of, `as_of` is this machine's time, so its clock must be right.
    private func compareClocks(_ database: Database) async throws {
        guard configuration.asOf == nil, configuration.replay == nil,
            let server = try await database.survey.server()
        else { return }
        let line = ClockCheck.diagnosis("clock", server.time, now: .now)
        let text = "PostgreSQL's clock says \(line.detail)"
        switch line.health {
        case .ok: break
        case .warning: console.observe(.warning(text))
        case .problem: throw Ending(.configuration, text)
        }
    }

    private func lock(_ database: Database) async throws {
        try await database.workers.lock(waiting: configuration.lockPatience) { holder in
            console.observe(
                .warning(
                    "Another run over everything is running: \(holder). Waiting for it to end, as"
                        + " --wait says."))
        }
    }

    /// A failure is only a warning: reports are published as ever.
    private func markForgottenRuns(in reports: ReportsDirectory, _ database: Database) async {
        do {
            let forgotten = try await ForgottenRuns(in: reports, of: database)
            guard let sentence = forgotten.sentence else { return }
            try forgotten.mark()
            console.observe(
                .warning(
                    "\(sentence) RETRACTED.json in these folders says so, and latest was moved. If"
                        + " --database or --reports is wrong, remove these files and correct it."))
        } catch {
            console.observe(
                .warning("latest could not be compared with the runs of the database: \(error)"))
        }
    }

    private func warnOfForgottenRuns(in reports: ReportsDirectory, _ database: Database) async {
        guard
            let forgotten = try? await ForgottenRuns(in: reports, of: database),
            let sentence = forgotten.sentence
        else { return }
        console.observe(
            .warning("\(sentence) A run would mark these folders with RETRACTED.json."))
    }

    /// Writes nothing and sends nothing.
    private func dryRun(_ database: Database, _ inputs: RunInputs) async throws -> Ending {
        let reasons = try await GuardForecast(configuration, database).implausible(inputs)
        guard reasons.isEmpty else {
            let list = reasons.map(\.sentence).joined(separator: " ")
            return Ending(
                .held, "Dry run: a run would be held. \(list) Nothing was sent or written.")
        }
        let plan = try await database.planner.plan(
            configuration.scope, usersPerBatch: configuration.usersPerBatch)
        guard !configuration.isOffline else {
            return Ending(
                .complete,
                "Dry run: \(plan.receipts) receipts of \(plan.users) users would be judged"
                    + " offline, by their own signatures, and nothing would be sent. Nothing was"
                    + " written; leave --dry-run out to run.")
        }
        let seconds = Double(plan.receipts) / configuration.rate
        return Ending(
            .complete,
            "Dry run: \(plan.receipts) receipts of \(plan.users) users would be requested, in "
                + "at least \(Int(seconds.rounded(.up))) s at --rate \(configuration.rate). "
                + "Nothing was sent or written; leave --dry-run out to run.")
    }
}

extension Configuration {
    func group() throws(ReportError) -> ReportGroup? {
        guard let reportsGroup else { return nil }
        return try ReportGroup(named: reportsGroup)
    }

    /// About twenty seconds of work, within 50 to 200 users: progress is visible, and a resumed run
    /// repeats little.
    var usersPerBatch: Int { Int(min(max(rate * 20, 50), 200)) }

    /// Whether the run takes the lock: it starts or resumes a run over everything.
    var isOverEverything: Bool { scope.isEverything && replay == nil && !joins && !isTrial }
}
