internal import Reconcile

/// The published folders that still hold erased users: `prune --user` lists them, and with
/// `--folders` writes them anew from the database.
struct ErasedFolders: Sendable {
    struct Result: Sendable {
        var sentence: String
        /// False when a folder that should have been written anew could not be.
        var isDone = true
    }

    private let configuration: Configuration
    /// Nil when there is no such folder.
    private let reports: ReportsDirectory?

    /// - Throws: when a folder that was named cannot be read: before anything is erased.
    init(_ configuration: Configuration) throws {
        self.configuration = configuration
        let isNamed = configuration.given.contains("reports") || configuration.rewritesFolders
        let isThere = InputFile.folder(configuration.reports) != nil
        reports = isThere || isNamed ? try ReportsDirectory(path: configuration.reports) : nil
        if let reports { _ = try FoldersOfUser(reports: reports) }
    }

    func conclude(_ console: Console) async throws -> Result {
        guard let reports else {
            return Result(
                sentence:
                    "There is no folder \(configuration.reports): give --reports, to see which"
                    + " published folders still hold the user.")
        }
        let published = try FoldersOfUser(reports: reports)
        let periods = published.periods(of: configuration.users)
        var result = try await conclude(
            published.folders(of: configuration.users), in: reports, console)
        for name in periods {
            try StandardStream.print(
                "\(configuration.rewritesFolders ? "stays   " : "holds   ")"
                    + " \(configuration.reports)/\(name): give `period` for its days again\n")
        }
        if !periods.isEmpty {
            let isOne = periods.count == 1
            result.sentence +=
                " \(isOne ? "1 folder" : "\(periods.count.grouped) folders") of periods still"
                + " \(isOne ? "holds" : "hold") the user: `period` for the same days writes"
                + " \(isOne ? "it" : "them") without."
            if configuration.rewritesFolders { result.isDone = false }
        }
        return result
    }

    private func conclude(
        _ folders: [FoldersOfUser.Folder], in reports: ReportsDirectory, _ console: Console
    ) async throws -> Result {
        guard !folders.isEmpty else {
            return Result(
                sentence: "No published folder of a run in \(configuration.reports) holds the"
                    + " user.")
        }
        guard configuration.rewritesFolders else {
            for folder in folders {
                try StandardStream.print("holds    \(configuration.reports)/\(folder.name)\n")
            }
            return Result(
                sentence: "\(Self.count(folders.count)) in \(configuration.reports) still"
                    + " \(folders.count == 1 ? "holds" : "hold") the user: give --folders to write"
                    + " \(folders.count == 1 ? "it" : "them") anew without.")
        }
        return try await writeAnew(folders, in: reports, console)
    }

    private func writeAnew(
        _ folders: [FoldersOfUser.Folder], in reports: ReportsDirectory, _ console: Console
    ) async throws -> Result {
        let publication = Publication(
            configuration: configuration, reports: reports, console: console)
        var left = 0
        try await configuration.withDatabase(connections: 2) { database in
            for folder in folders {
                let path = "\(configuration.reports)/\(folder.name)"
                do {
                    try await writeAnew(folder, publication, database)
                    try StandardStream.print("erased   \(path)\n")
                } catch {
                    left += 1
                    let why = Ending(error).message.escapingControls()
                    try StandardStream.print("stays    \(path): \(why)\n")
                }
            }
        }
        let done = "\(Self.count(folders.count - left)) written anew without the user."
        guard left > 0 else { return Result(sentence: done) }
        return Result(
            sentence: done + " \(Self.count(left)) could not be written anew, and still"
                + " \(left == 1 ? "holds" : "hold") the user: correct what the lines above say, or"
                + " remove \(left == 1 ? "it" : "them").", isDone: false)
    }

    private func writeAnew(
        _ folder: FoldersOfUser.Folder, _ publication: Publication, _ database: Database
    ) async throws {
        if let reason = folder.reasonToKeep { throw refusal(reason) }
        let known = try await database.knownRuns.run(named: .beginning(folder.run.text))
        guard known.account != nil, !known.isPruned else {
            throw refusal("the database keeps no rows of its run any more (prune)")
        }
        guard known.run.folderName == folder.name else {
            throw refusal("it is not the folder of the run that it names")
        }
        _ = try await publication.publish(
            known, from: database, replacing: folder)
    }

    private func refusal(_ why: String) -> Ending { Ending(.cannotCreateReports, why) }

    private static func count(_ folders: Int) -> String {
        folders == 1 ? "1 published folder" : "\(folders.grouped) published folders"
    }
}
