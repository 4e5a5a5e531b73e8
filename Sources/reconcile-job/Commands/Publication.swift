internal import Reconcile

struct Publication: Sendable {
    let configuration: Configuration
    let reports: ReportsDirectory
    let console: Console
    /// The most frequent cause of failed calls to Apple, as far as this process knows.
    var failure: String?
    var pace: RequestRate?

    /// Publishes a finished run, passes the published account to `note` and prints the summary.
    /// - Parameter fence: throws when another worker has taken over publishing this run.
    func conclude(
        _ summary: Summary, _ tables: ReportTables, fence: () async throws -> Void = {},
        note: (PublishedAccount) async throws -> Void = { _ in }
    ) async throws -> Ending {
        let exitRules = ExitRules(configuration)
        try exitRules.requireAnswers(summary.requests, failure: failure)
        let (folder, account) = try await publish(summary, tables, fence: fence)
        try await note(account)
        console.published(summary, pace, folder: folder)
        if account.replacesOther {
            console.observe(
                .warning(
                    "\(folder) had other contents: the run was published before, and the database"
                        + " lost the record of it, as in a failover. Do not use copies of the"
                        + " former files: this folder is the run's."))
        }
        let ending = exitRules.ending(summary, in: folder)
        guard printSummary(summary, folder: folder) else {
            // The run is published: a wrapper script must not take it for a failed one.
            return Ending(
                ending.exit, ending.message + " The summary could not be written to stdout.")
        }
        return ending
    }

    /// `again` is given when a published run is written again.
    func publish(
        _ summary: Summary, _ tables: ReportTables, codeVersion: String = Version.text,
        again: Republication? = nil, group: ReportGroup? = nil,
        fence: () async throws -> Void = {}
    ) async throws -> (path: String, account: PublishedAccount) {
        let folder = try ReportFolder(
            reports: reports, run: summary.run,
            group: try group ?? configuration.group())
        try await folder.write(tables)
        try Task.checkCancellation()
        return try await folder.publish(
            summary, codeVersion: codeVersion, again: again, fence: fence)
    }

    /// Writes the folder of a published run again, from the database: without the users who were
    /// erased since, whom it returns the count of.
    /// - Parameter former: the folder that it replaces, whose group it gets.
    func publish(
        _ known: RunListing, from database: Database, replacing former: FoldersOfUser.Folder? = nil
    ) async throws -> (path: String, erasure: Erasure) {
        let summary = try await database.published(again: known)
        let erasure = try await database.pruning.erasure(of: known.run.id)
        let path = try await publish(
            summary, database.reports.tables(of: known.run.id), codeVersion: known.codeVersion,
            again: Republication(known, erasure: erasure, replacing: former?.manifestSHA256),
            group: former?.group
        ).path
        return (path, erasure)
    }

    /// Returns false when stdout cannot be written, or nobody reads it.
    func printSummary(_ summary: Summary, folder: String) -> Bool {
        let bytes: [UInt8] =
            switch configuration.isQuiet ? .none : configuration.output {
            case .text:
                Array(
                    (SummaryText.lines(summary, pace: pace, folder: folder)
                        .joined(separator: "\n") + "\n").utf8)
            case .json: SummaryReport.json(summary, codeVersion: Version.text)
            case .none: []
            }
        guard !bytes.isEmpty else { return true }
        _ = StreamWriter.error.flush(within: Self.patience)
        return StreamWriter.output.write(bytes, within: Self.patience) == .written
    }

    /// How long a run, which is published by then, waits for a reader of its summary.
    private static let patience = Duration.seconds(3)
}

extension ReportReader {
    func tables(of run: RunID) -> ReportTables {
        ReportTables(
            findings: { ReportRows(findings(of: run, in: $0)) },
            cleared: ReportRows(cleared(of: run)), unverified: ReportRows(unverified(of: run)),
            notReported: ReportRows(notReported(of: run)),
            totals: ReportRows(findingTotals(of: run)), units: ReportRows(units(of: run)))
    }
}
