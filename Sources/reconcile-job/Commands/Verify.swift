internal import Reconcile

/// `reconcile-job verify`: checks a published folder by its files, and with a database against it.
struct VerifyCommand: Sendable {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        guard let folder = InputFile.folder(configuration.folder) else {
            throw Ending(
                .inputOutput,
                "Cannot read the folder \(configuration.folder). Give the folder of a run, for"
                    + " example reports/latest.")
        }
        let verification = FolderVerification(folder)
        var failures = verification.failures
        var compared = ""
        if let run = verification.run, configuration.given.contains("database") {
            let database = try await databaseSide(of: run, verification, folder)
            failures += database.differences
            compared = database.sentence
        }
        try StandardStream.print(
            failures.map { $0.escapingControls() + "\n" }.joined())
        guard failures.isEmpty else {
            let count = failures.count + verification.moreFailures
            return Ending(
                .findings,
                "\(folder) is not as it was published, or does not tie out:"
                    + " \(count == 1 ? "1 failure" : "\(count.grouped) failures").\(compared)")
        }
        return Ending(
            .complete,
            "\(folder) is complete and ties out: run \(verification.run?.text ?? ""),"
                + " \(verification.files) files, \(verification.rows.grouped) rows.\(compared)"
                + verification.remarks.map { " " + $0 }.joined())
    }

    private func databaseSide(
        of id: RunID, _ verification: FolderVerification, _ folder: String
    ) async throws -> DatabaseSide {
        try await configuration.withDatabase(connections: 2) { database in
            let known = try await database.knownRuns.run(named: .beginning(id.text))
            var side = DatabaseSide()
            side.remark = verification.contradiction(by: known)
            if let account = known.account, account.manifestSHA256 != verification.manifestSHA256 {
                side.differences.append(
                    "manifest.json: differs from the one recorded in the database.")
            }
            guard !known.isPruned else {
                side.isPruned = true
                return side
            }
            let reports = database.reports
            let isOffline = known.run.isOffline
            for name in FindingFile.allCases.map(\.rawValue) + ["cleared"]
            where !verification.isDamaged(name) {
                let rows =
                    FindingFile(rawValue: name).map { reports.findings(of: id, in: $0) }
                    ?? reports.cleared(of: id)
                try await side.add(FolderComparison(name, in: folder, of: known.run), rows) {
                    isOffline && name == "cleared" ? $0.judgedOffline() : $0
                }
            }
            if !verification.isDamaged("unverified") {
                try await side.add(
                    FolderComparison(in: folder, of: known.run), reports.unverified(of: id))
            }
            if !verification.isDamaged("not_reported") {
                try await side.add(
                    FolderComparison(in: folder, of: known.run), reports.notReported(of: id))
            }
            return side
        }
    }
}

/// What the comparison with the database came to.
private struct DatabaseSide: Sendable {
    var differences: [String] = []
    var rows = 0
    var isPruned = false
    /// How the database names the run, where the folder does not.
    var remark: String?

    var sentence: String {
        let what =
            isPruned
            ? " The database keeps no rows of the run any more (prune), so none were compared."
            : " \(rows.grouped) rows were compared with the database."
        return what + (remark.map { " By the database the run is \($0)." } ?? "")
    }

    /// - Parameter change: made to each row of the database before it is compared.
    mutating func add<Row: ReadableRow>(
        _ comparison: FolderComparison<Row>, _ rows: DatabaseRows<Row>,
        change: (Row) -> Row = { $0 }
    ) async throws {
        var comparison = comparison
        for try await page in rows { comparison.compare(page.map(change)) }
        comparison.end()
        self.rows += comparison.rows
        if let difference = comparison.difference { differences.append(difference) }
    }
}
