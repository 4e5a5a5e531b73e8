internal import Reconcile

/// `reconcile-job retract` removes the newest published run from history; `release` makes the
/// newest run count if a guard held it. The folder stays and gets a file that says so.
struct HistoryCommand: Sendable {
    private let mark: MarkedFolder.Mark
    private let configuration: Configuration
    private let console: Console

    init(_ mark: MarkedFolder.Mark, _ configuration: Configuration, _ console: Console) {
        self.mark = mark
        self.configuration = configuration
        self.console = console
    }

    func run() async throws -> Ending {
        let reports = try ReportsDirectory(path: configuration.reports)
        let address = configuration.database?.text ?? ""
        let change = try await Database.lend(address, connections: 1) { database in
            try await database.schema.check()
            // A run in progress builds on the newest published run, so it must not change now.
            try await database.workers.lock()
            return try await changed(by: database.history)
        }
        let newest =
            change.newest.map { "The newest published run is now \($0)." }
            ?? "There is now no published run."
        do {
            try say(change, in: reports)
        } catch {
            let ending = Ending(error)
            throw Ending(
                ending.exit,
                "Run \(change.run) is \(mark.rawValue) in the database. \(newest)"
                    + " \(ending.message) Then run the command for \(change.run) again, so that"
                    + " \(mark.fileName) is written and latest is updated.")
        }
        let written = try await missingFolder(after: change, in: reports)
        return Ending(
            .complete,
            "Run \(change.run) is \(mark.rawValue): \(change.why). Its folder stays, with"
                + " \(mark.fileName) in it. \(newest)\(written)")
    }

    /// The folder of the newest run may be gone, for example by `--keep`. It is then written again,
    /// so that `latest` leads to it.
    private func missingFolder(
        after change: HistoryChange, in reports: ReportsDirectory
    ) async throws -> String {
        guard let newest = change.newest, !MarkedFolder.isPublished(newest, in: reports)
        else { return "" }
        do {
            let publication = Publication(
                configuration: configuration, reports: reports, console: console)
            try await configuration.withDatabase(connections: 2) { database in
                let known = try await database.knownRuns.run(named: .beginning(newest.text))
                guard known.account != nil, !known.isPruned else {
                    throw Ending(.unknownID, "The database has none of its rows any more.")
                }
                _ = try await publication.publish(known, from: database)
            }
            try say(change, in: reports)
            return " Its folder was not in \(configuration.reports), and was written again."
        } catch {
            return " Its folder is not in \(configuration.reports), so there is no latest: the next"
                + " run sets it. It could not be written again: \(Ending(error).message)"
        }
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

    private func say(_ change: HistoryChange, in reports: ReportsDirectory) throws {
        let folder = MarkedFolder(
            mark, run: change.run, by: change.by, why: change.why, at: change.at)
        guard try folder.publish(in: reports, newest: change.newest) else {
            throw Ending(
                .cannotCreateReports,
                "Its folder is not in \(configuration.reports). Give the right --reports.")
        }
    }
}
