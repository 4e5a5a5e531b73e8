import Testing

@testable import Reconcile
@testable import reconcile_job

@Suite("A verdict")
struct VerdictTests {
    @Test(
        "A run within the allowed share of unverified receipts and within its time is complete",
        arguments: [
            (.percent(1), 10, 1_000, false, .complete),
            (.percent(1), 11, 1_000, false, .incomplete),
            (.percent(0), 0, 0, false, .complete), (.count(5), 5, 10, false, .complete),
            (.count(5), 6, 1_000_000, false, .incomplete),
            (.percent(100), 10, 10, false, .complete), (.count(5), 0, 10, true, .incomplete),
        ] as [(Allowance, Int, Int, Bool, RunSummary.Status)])
    func status(
        allowance: Allowance, unverified: Int, inScope: Int, isLate: Bool,
        expected: RunSummary.Status
    ) {
        var configuration = Configuration()
        configuration.maxUnverified = allowance
        var tally = ReceiptTally()
        tally.inScope = inScope
        tally.unverified = unverified
        let status = Verdict(configuration).status(of: tally, isPastMaxRuntime: isLate)
        #expect(status == expected)
    }

    @Test(
        "The status is 0, 1 for findings that --fail-on names, and 3 if the run is incomplete",
        arguments: [
            (.none, .complete, .critical, .complete), (.high, .complete, .critical, .findings),
            (.high, .complete, .high, .findings), (.high, .complete, .medium, .complete),
            (.low, .complete, .info, .complete), (.low, .complete, .low, .findings),
            (.critical, .incomplete, .critical, .incomplete),
        ] as [(FailOn, RunSummary.Status, Severity, ExitCode)])
    func ending(failOn: FailOn, status: RunSummary.Status, severity: Severity, exit: ExitCode) {
        var configuration = Configuration()
        configuration.failOn = failOn
        var summary = RunSummary.empty(status)
        summary.findings.add(.expiredStillGranted, severity)
        let ending = Verdict(configuration).ending(summary, in: "reports/x")
        #expect(ending.exit == exit)
        #expect(ending.message.contains("reports/x"))
    }

    @Test("The status is 69 only when the run asked Apple and got no answer")
    func answers() throws {
        let verdict = Verdict(Configuration())
        var requests = RequestTally()
        try verdict.requireAnswers(requests)
        requests.sent = 4
        let error = #expect(throws: Ending.self) { try verdict.requireAnswers(requests) }
        #expect(error?.exit == .unavailable)
        requests.byHTTPStatus[503] = 1
        try verdict.requireAnswers(requests)
    }
}

extension RunSummary {
    static func empty(_ status: Status = .complete) -> RunSummary {
        let asOf = Instant(milliseconds: 1_795_140_000_000)
        let run = Run(id: RunID(startedAt: asOf, suffix: 1), asOf: asOf, scope: .everything)
        return RunSummary(
            run: run, status: status, receipts: ReceiptTally(), entitlements: EntitlementTally(),
            findings: FindingTally(), requests: RequestTally(), oldestVerifiedAt: nil)
    }
}
