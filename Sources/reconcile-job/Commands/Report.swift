internal import Reconcile

/// `reconcile-job report`: writes a run's folder again, byte for byte as it was published.
struct ReportCommand: Sendable {
    private let configuration: Configuration
    private let console: Console

    init(_ configuration: Configuration, _ console: Console) {
        self.configuration = configuration
        self.console = console
    }

    func run() async throws -> Ending {
        let sentence = try await configuration.withDatabase(connections: 2) { database in
            let known = try await database.knownRuns.run(named: RunListing.Name(configuration.run))
            guard known.account != nil || known.isPruned else {
                throw Ending(
                    .unknownID,
                    "Run \(known) was never published, so it has no folder. reconcile-job runs"
                        + " lists those that were.")
            }
            guard known.account != nil, !known.isPruned else {
                throw Ending(
                    .usage,
                    "The history of run \(known.run.id) was removed (prune), so its folder"
                        + " cannot be written again. Restore it from a backup.")
            }
            let reports = try ReportFolder.check(
                configuration.reports, group: try configuration.group())
            return try await write(known, from: database, in: reports)
        }
        return Ending(.complete, sentence)
    }

    private func write(
        _ known: RunListing, from database: Database, in reports: ReportsDirectory
    ) async throws -> String {
        let publication = Publication(
            configuration: configuration, reports: reports, console: console)
        let (path, erasure) = try await publication.publish(known, from: database)
        let what = known.remark.map { " Run \(known.run.id) is not in the history: \($0)." } ?? ""
        return erasure.isEmpty
            ? "The folder is as it was published: \(path).\(what)"
            : "The folder is as it was published but for \(erasure.sentence), left out"
                + " (ERASED.json): \(path).\(what)"
    }
}
