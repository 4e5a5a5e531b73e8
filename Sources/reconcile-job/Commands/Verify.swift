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
        if let run = verification.run, configuration.given.contains("database") {
            failures += try await differences(of: run, verification, folder)
        }
        try StandardStream.print(
            failures.map { $0.escapingControls() + "\n" }.joined())
        guard failures.isEmpty else {
            let count = failures.count + verification.moreFailures
            return Ending(
                .findings,
                "\(folder) is not as it was published, or does not tie out:"
                    + " \(count == 1 ? "1 failure" : "\(count) failures").")
        }
        let marks = verification.marks.map { " It was \($0.rawValue) later: \($0.fileName)." }
        return Ending(
            .complete,
            "\(folder) is complete and ties out: run \(verification.run?.text ?? ""),"
                + " \(verification.files) files, \(verification.rows) rows."
                + marks.joined())
    }

    private func differences(
        of id: RunID, _ verification: FolderVerification, _ folder: String
    ) async throws -> [String] {
        try await configuration.withDatabase(connections: 2) { database in
            let known = try await database.knownRuns.run(beginningWith: id.text)
            var differences: [String] = []
            if let account = known.account, account.manifestSHA256 != verification.manifestSHA256 {
                differences.append("manifest.json: differs from the one recorded in the database.")
            }
            guard !known.isPruned else { return differences }
            for file in FindingFile.allCases {
                differences += try await difference(
                    file.rawValue, database.reports.findings(of: id, in: file), known.run, folder)
            }
            return differences
                + (try await difference(
                    "cleared", database.reports.cleared(of: id), known.run, folder))
        }
    }

    private func difference(
        _ name: String, _ rows: DatabaseRows<ReportedFinding>, _ run: Run, _ folder: String
    ) async throws -> [String] {
        var comparison = FolderComparison(name, in: folder, of: run)
        for try await page in rows {
            let isOfflineCleared = run.isOffline && name == "cleared"
            comparison.compare(isOfflineCleared ? page.map { $0.judgedOffline() } : page)
        }
        comparison.end()
        return [comparison.difference].compactMap(\.self)
    }
}
