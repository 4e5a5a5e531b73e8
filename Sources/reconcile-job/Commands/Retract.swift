internal import Reconcile

/// `reconcile-job retract`: takes the newest published run out of history, as if it had not been:
/// one with prices in cents, for example. Its folder stays and says so.
struct RetractCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let settings = configuration.acceptance
        try RetractedFolder.check(reports: configuration.reports)
        let address = configuration.database?.text ?? ""
        let retraction = try await Database.lend(address, connections: 1) { database in
            try await database.schema.check()
            // A run in progress has judged by what would be no more.
            try await database.workers.lock()
            return try await database.retractions.retract(
                runBeginningWith: configuration.retractedRun, by: settings.by, why: settings.why)
        }
        let newest =
            retraction.newest.map { "The newest published run is \($0) now." }
            ?? "There is no published run now."
        do {
            try mark(retraction)
        } catch {
            let ending = Ending(error)
            throw Ending(
                ending.exit,
                "Run \(retraction.run) is retracted in the database. \(newest) \(ending.message)"
                    + " Then retract it again, so that RETRACTED.json is written and latest moves"
                    + " back.")
        }
        return Ending(
            .complete,
            "Retracted run \(retraction.run): \(retraction.why). \(newest) Its folder stays, with"
                + " RETRACTED.json in it.")
    }

    /// Makes the reports folder say so, too.
    private func mark(_ retraction: Retraction) throws {
        let folder = RetractedFolder(
            run: retraction.run, by: retraction.by, why: retraction.why, at: retraction.at)
        guard try folder.publish(in: configuration.reports, newest: retraction.newest) else {
            throw Ending(
                .cannotCreateReports,
                "Its folder is not in \(configuration.reports): name the right one with --reports.")
        }
    }
}
