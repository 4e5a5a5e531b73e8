internal import Reconcile

/// `reconcile-job retract`: takes the newest published run out of history, as if it had not been:
/// one with prices in cents, for example. `reconcile-job release`: makes the newest run count that
/// a guard held. The run's folder stays and says so.
struct HistoryCommand: Sendable {
    private let mark: MarkedFolder.Mark
    private let configuration: Configuration

    init(_ mark: MarkedFolder.Mark, _ configuration: Configuration) {
        self.mark = mark
        self.configuration = configuration
    }

    func run() async throws -> Ending {
        try MarkedFolder.check(reports: configuration.reports)
        let address = configuration.database?.text ?? ""
        let change = try await Database.lend(address, connections: 1) { database in
            try await database.schema.check()
            // A run in progress has judged by what would be no more.
            try await database.workers.lock()
            return try await changed(by: database.history)
        }
        let newest =
            change.newest.map { "The newest published run is \($0) now." }
            ?? "There is no published run now."
        do {
            try say(change)
        } catch {
            let ending = Ending(error)
            throw Ending(
                ending.exit,
                "Run \(change.run) is \(mark.rawValue) in the database. \(newest)"
                    + " \(ending.message) Then do it again, so that \(mark.fileName) is written"
                    + " and latest moves.")
        }
        return Ending(
            .complete,
            "Run \(change.run) is \(mark.rawValue): \(change.why). \(newest) Its folder stays, with"
                + " \(mark.fileName) in it.")
    }

    private func changed(by history: HistoryStore) async throws -> HistoryChange {
        let settings = configuration.acceptance
        return switch mark {
        case .retracted:
            try await history.retract(
                runBeginningWith: configuration.run, by: settings.by, why: settings.why)
        case .released:
            try await history.release(
                runBeginningWith: configuration.run, by: settings.by, why: settings.why)
        }
    }

    /// Makes the reports folder say so, too.
    private func say(_ change: HistoryChange) throws {
        let folder = MarkedFolder(
            mark, run: change.run, by: change.by, why: change.why, at: change.at)
        guard try folder.publish(in: configuration.reports, newest: change.newest) else {
            throw Ending(
                .cannotCreateReports,
                "Its folder is not in \(configuration.reports): name the right one with --reports.")
        }
    }
}
