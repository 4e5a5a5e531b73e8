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
        let whom = file.user.map { "user \($0)" } ?? "no single user"
        return Ending(.complete, "Run \(file.run) has \(what) about \(whom).")
    }

    private func file(_ database: Database) async throws -> CustomerFile {
        if let finding = configuration.investigation.finding {
            return try await self.file(ofFinding: finding, database)
        }
        let run = try await database.knownRuns.run(named: configuration.namedRun ?? .latest)
        let user = try await database.customers.user(of: key(), in: run)
        return try await database.customers.file(
            of: user, in: run, reading: SourceWiring.history)
    }

    /// Calls Apple now, under the rate limit that all workers share. Judges by the run's own
    /// settings unless flags override them.
    private func live(
        _ file: CustomerFile, _ database: Database
    ) async throws -> CustomerFile.Live {
        guard let user = file.user else {
            throw Ending(
                .usage,
                "The finding is about no single user, so there is nothing to ask Apple."
                    + " Leave out --live.")
        }
        let former = try await database.runs.replayable(file.run.run.id, needsAnswers: false)
        let configuration = configuration.inheriting(former)
        let inputs = try RunInputs(configuration)
        guard configuration.source == .verifyReceipt || !inputs.apiKeys.apps.isEmpty else {
            throw Ending(
                .usage,
                "Run \(file.run.run.id) asked the App Store Server API. Give --api-keys, or"
                    + " --source verify-receipt.")
        }
        let database = database.lacking(try await database.views.check())
        var catalog = try await database.catalog.read()
        catalog.downloadable = try await database.catalog.downloadable()
        let now = configuration.asOf ?? .now
        var settings = ValidationSettings(configuration, inputs)
        settings.outagePatience = Self.patience
        let wiring = try SourceWiring(
            inputs, settings, catalog: catalog, choice: configuration.source)
        let asking = wiring.asking(
            try wiring.live(), tokens: database.rates.tokenSource())
        let judge = Judge(
            catalog: catalog,
            settings: JudgingSettings(configuration, asOf: now, knowsLaterFacts: true))
        return try await LiveLook(database, asking, judge).look(at: user, now: now)
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

    /// The file from the run that is named, else from the last published run that has the finding.
    private func file(
        ofFinding finding: String, _ database: Database
    ) async throws -> CustomerFile {
        let (known, run) = try await configuration.finding(finding, database)
        guard let user = known.user else {
            return try await database.customers.file(ofUserless: known.id, in: run)
        }
        var file = try await database.customers.file(
            of: user, in: run, reading: SourceWiring.history)
        file.finding = known.id
        return file
    }
}
