import Testing

@testable import Reconcile

/// To add a case: make a `summary` of some counts of the views, and compare what is said of it.
@Suite("What the reports say of the views")
struct CoverageReportTests {
    private static let calm = counts(400)
    private static let recorded = counts(10)

    private static func counts(_ receipts: Int) -> ViewCounts {
        ViewCounts(users: 0, receipts: receipts, entitlements: 0)
    }

    /// A run that recorded ten receipts.
    private func summary(
        planned: Int, atClose: Int, status: Summary.Status = .complete
    ) -> Summary {
        var summary = Summary.sample(status: status)
        let coverage = Coverage(
            planned: Self.counts(planned), atClose: Self.counts(atClose), recorded: Self.recorded)
        summary.coverage = coverage
        if status == .held { summary.implausible = coverage.reasons }
        return summary
    }

    private func differences(_ summary: Summary) -> [String] {
        FolderSums.coverageDifferences(
            in: PrintedPaths(SummaryReport.json(summary, codeVersion: "1")))
    }

    @Test("verify accepts a run within the tolerance, and one that is held for its coverage")
    func accepted() {
        #expect(differences(summary(planned: 10, atClose: 10)).isEmpty)
        #expect(differences(summary(planned: 20, atClose: 400)).isEmpty)
        #expect(differences(summary(planned: 400, atClose: 400, status: .held)).isEmpty)
    }

    @Test("verify names a run that is complete although it missed receipts")
    func complete() {
        let differences = differences(summary(planned: 400, atClose: 400))
        #expect(differences.count == 1)
        let name = "summary.json: the run is not held, although 390 of 400 receipts are missing"
        #expect(differences.first?.hasPrefix(name) == true)
    }

    @Test("verify names a held run whose reasons of coverage are not those of its counts")
    func reasons() {
        var held = summary(planned: 400, atClose: 400, status: .held)
        held.implausible = []
        #expect(
            differences(held) == [
                "summary.json: implausible has 0 reasons of coverage, but controls have 1."
            ])
    }

    @Test("verify misses the counts of a run over everything, and of no other run")
    func missing() {
        var summary = summary(planned: 10, atClose: 10)
        summary.coverage = nil
        #expect(
            differences(summary) == [
                "summary.json: controls.planned or controls.at_close is missing."
            ])
        #expect(differences(.sample(.sample(scope: .limited(users: 3)))).isEmpty)
    }

    @Test("The metrics have both counts of the views")
    func metrics() {
        let report = MetricsReport(
            summary(planned: 10, atClose: 12), pace: nil, exitStatus: 0, at: .asOf)
        let lines = report.text.split(separator: "\n").map(String.init)
        #expect(lines.contains(#"reconcile_views{count="receipts",when="planned"} 10"#))
        #expect(lines.contains(#"reconcile_views{count="receipts",when="at_close"} 12"#))
    }

    @Test("runs shows what the views had, and whether it changed before the close")
    func runs() {
        var run = RunListing.Line(
            run: Run.sample().id, asOf: .asOf, startedAt: .asOf, finishedAt: nil, state: "open",
            scope: "", isPruned: false, planned: Self.calm, atClose: nil, result: nil)
        let cut = "    views: 0 users, 400 receipts, 0 entitlements when cut"
        #expect(RunsReport.text([run]).contains(cut + "\n"))
        run.atClose = Self.calm
        #expect(RunsReport.text([run]).contains(cut + ", and when closed\n"))
        run.atClose = Self.counts(401)
        let closed = cut + "; 0 users, 401 receipts, 0 entitlements when closed\n"
        #expect(RunsReport.text([run]).contains(closed))
    }
}
