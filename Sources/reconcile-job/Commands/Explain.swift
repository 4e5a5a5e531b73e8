internal import Reconcile

/// `reconcile-job explain`: shows what a run found about one customer, and the evidence for it.
struct ExplainCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let file = try await configuration.withDatabase { database in
            var file = try await self.file(database)
            if configuration.asksLive { file.live = try await live(file, database) }
            return file
        }
        switch configuration.output {
        case .text: try StandardStream.print(ExplainText(file).text)
        case .json: try StandardStream.print(ExplainJSON.bytes(file))
        case .none: break
        }
        let count = file.findings.count
        let what = count == 0 ? "no finding" : count == 1 ? "1 finding" : "\(count) findings"
        return Ending(
            .complete, "Run \(file.run.run.id) has \(what) about user \(file.user).")
    }

    private func file(_ database: Database) async throws -> CustomerFile {
        let prefix = configuration.run.isEmpty ? nil : configuration.run
        if let finding = configuration.investigation.finding {
            return try await self.file(ofFinding: finding, prefix, database)
        }
        let run = try await database.knownRuns.run(beginningWith: prefix)
        let user = try await database.customers.user(of: key(), in: run)
        return try await database.customers.file(of: user, in: run)
    }

    /// Calls Apple now, under the rate limit that all workers share. Judges by the run's own
    /// settings unless flags override them.
    private func live(
        _ file: CustomerFile, _ database: Database
    ) async throws -> CustomerFile.Live {
        let user = file.user
        let former = try await database.runs.replayable(file.run.run.id, needsAnswers: false)
        let configuration = configuration.inheriting(former)
        let inputs = try RunInputs(configuration)
        let database = database.lacking(try await database.views.check())
        var catalog = try await database.catalog.read()
        catalog.downloadable = try await database.catalog.downloadable()
        let now = configuration.asOf ?? .now
        let run = Run(
            id: RunID(startedAt: now, suffix: 0), asOf: now,
            scope: .selected(users: [user], receipts: []))
        var settings = ValidationSettings(configuration, inputs)
        settings.outagePatience = Self.patience
        let validator = try AppStoreValidator(
            settings, secrets: inputs.secrets, tokens: database.rates.tokenSource(),
            roots: inputs.roots, catalogued: Set(catalog.products.keys), now: { .now })
        let judge = Judge(catalog: catalog, settings: JudgingSettings(configuration, run))
        return try await LiveLook(database, validator, judge).look(at: user, now: now)
    }

    /// How long an operator waits for an outage of Apple's servers to end.
    private static let patience = Duration.seconds(30)

    private func key() throws -> CustomerReader.Key {
        let settings = configuration.investigation
        let keys: [CustomerReader.Key] =
            configuration.users.map { .user($0) } + configuration.receipts.map { .receipt($0) }
            + settings.transactions.map { .transaction($0) }
        guard keys.count == 1, let key = keys.first else {
            throw Ending(
                .usage,
                "explain is about one customer: give one of --user, --receipt, --transaction and"
                    + " --finding.")
        }
        return key
    }

    /// The file from the run that `prefix` names, else from the last run that reported the finding.
    private func file(
        ofFinding finding: String, _ prefix: String?, _ database: Database
    ) async throws -> CustomerFile {
        let known = try await database.acceptances.reported(
            beginningWith: finding, isToBeRead: true)
        guard let user = known.user else {
            throw Ending(
                .usage,
                "The finding \(known.id) is about no customer: its row of the report says all.")
        }
        let run = try await database.knownRuns.run(
            beginningWith: prefix ?? known.run?.text)
        var file = try await database.customers.file(of: user, in: run)
        file.finding = known.id
        return file
    }
}
