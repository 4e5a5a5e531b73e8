internal import Reconcile

/// `reconcile-job run`: one night.
struct RunCommand: Sendable {
    private let configuration: Configuration
    private let console: Console

    init(_ configuration: Configuration, _ console: Console) {
        (self.configuration, self.console) = (configuration, console)
    }

    /// The checks come in the order of the contract, the cheapest first: flags (before this),
    /// files and URLs, schema, reports folder, rights, views, lock.
    func run() async throws -> Ending {
        let inputs = try RunInputs(configuration)
        let asOf = configuration.asOf ?? .now
        // Seam: connect to `configuration.database` (69) and require the schema (78) here.
        if !configuration.isDryRun { try ReportFolder.check(configuration.reports) }
        // Seam: rights (77), views (65) and lock (75), then the night itself, told to
        // `console.observe`; it yields a summary and the pages of its findings for `conclude`.
        _ = (inputs, asOf)
        throw Ending(
            .unavailable, "This build is not connected to a database yet. Take a later one.")
    }

    /// Publishes the reports of a finished night and chooses how the process ends.
    /// - Parameter summary: with the status that `Verdict.status` gave it.
    func conclude<Findings: AsyncSequence, Unverified: AsyncSequence>(
        _ summary: RunSummary, findings: (FindingFile) async throws -> Findings,
        unverified: Unverified
    ) async throws -> Ending
    where Findings.Element == [ReportedFinding], Unverified.Element == [UnverifiedReceipt] {
        let verdict = Verdict(configuration)
        try verdict.requireAnswers(summary.requests)
        let publication = Publication(configuration: configuration)
        let folder = try await publication.publish(
            summary, findings: findings, unverified: unverified)
        console.observe(.published(summary, folder: folder))
        try publication.printSummary(summary, folder: folder)
        return verdict.ending(summary, in: folder)
    }
}
