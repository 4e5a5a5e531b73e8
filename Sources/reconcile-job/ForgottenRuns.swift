internal import Reconcile

/// The runs that `latest` and later folders name and that the database does not know, as after it
/// was restored from a backup.
struct ForgottenRuns: Sendable {
    private let reports: ReportsDirectory
    let runs: [RunID]
    /// The newest published run that the database knows.
    let newest: RunID?

    init(in reports: ReportsDirectory, of database: Database) async throws {
        self.reports = reports
        let folders = OrphanedFolders(reports: reports)
        newest = try await database.knownRuns.newest().first { !$0.isHeld }?.run
        runs =
            folders.latest == nil
            ? []
            : folders.orphans(
                standing: try await database.knownRuns.standing(among: folders.runs), newest: newest
            )
    }

    /// What happened and what it means; nil when the database knows the run of `latest`.
    var sentence: String? {
        guard let last = runs.last else { return nil }
        let names = runs.map(\.text).joined(separator: ", ")
        let known = newest.map { "its newest published run is \($0)" } ?? "it has no published run"
        return "latest in \(reports.path) names the run \(last), which the database does not know;"
            + " \(known). It was restored from a backup, or a failover undid the run. A run reports"
            + " the events of \(names) again, under the same finding_id: count each once."
    }

    /// Marks the folders, and points `latest` to the newest run that the database knows.
    func mark() throws(ReportError) {
        for run in runs {
            let why =
                "The database does not know the run: it was restored from a backup, or a"
                + " failover undid the run. Later runs report its events again."
            let folder = MarkedFolder(.retracted, run: run, by: "reconcile-job", why: why, at: .now)
            _ = try folder.publish(in: reports, newest: newest, onlyFromHere: true)
        }
    }
}
