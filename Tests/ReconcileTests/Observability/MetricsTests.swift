import Testing

@testable import Reconcile

@Suite("The metrics of a run")
struct MetricsTests {
    private static let now = Instant(milliseconds: 1_795_150_000_500)

    private func report(
        _ summary: RunSummary? = nil, status: Int32 = 0, former: String = ""
    ) -> String {
        MetricsReport(summary, pace: nil, exitStatus: status, at: Self.now, former: former).text
    }

    private static var full: RunSummary {
        var summary = RunSummary.sample(findings: [.expired], unverified: 3)
        summary.requests.byStatus = [0: 5, 21007: 2, 21199: 1, 77: 1, -5: 1]
        summary.requests.byHTTPStatus = [200: 9, 503: 1, 9_999: 1]
        summary.facts.startedAt = .init(milliseconds: 1_000)
        summary.facts.endedAt = .init(milliseconds: 3_500)
        return summary
    }

    @Test("Each family in the text format has its help and type, followed by its samples")
    func format() {
        var family = ""
        var seen: Set<String> = []
        for line in report(Self.full).split(separator: "\n") {
            if let match = line.wholeMatch(of: #/# HELP (reconcile_[a-z_]+) \S.*\./#) {
                family = String(match.1)
                #expect(seen.insert(family).inserted)
            } else if line.hasPrefix("#") {
                #expect(line == "# TYPE \(family) gauge")
            } else {
                let sample = line.wholeMatch(
                    of: #/([a-z_]+)(\{[a-z]+="[A-Za-z0-9_]+"(,[a-z]+="[A-Za-z0-9_]+")*\})? (\S+)/#)
                #expect(sample.map { String($0.1) } == family, "\(line)")
                #expect(sample.flatMap { Double($0.4) } != nil, "\(line)")
            }
        }
        #expect(seen.count > 10)
        #expect(report(Self.full).last == "\n")
    }

    @Test("The metrics equal the summary's counts, and their labels are bounded")
    func values() {
        let text = report(Self.full)
        for line in [
            "reconcile_receipts{outcome=\"unverified\"} 3", "reconcile_run_exit_status 0",
            "reconcile_run_status{status=\"complete\"} 1",
            "reconcile_run_status{status=\"held\"} 0", "reconcile_run_duration_seconds 2.5",
            "reconcile_requests_by_status{status=\"21007\"} 2",
            "reconcile_requests_by_status{status=\"211xx\"} 1",
            "reconcile_requests_by_status{status=\"other\"} 2",
            "reconcile_requests_by_http_class{class=\"5xx\"} 1",
            "reconcile_last_success_timestamp_seconds 1795150000.5",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
        #expect(!text.contains("99xx"))
    }

    @Test("The last success is kept from the previous file when a run fails, and nothing else is")
    func lastSuccess() {
        let kept = "reconcile_last_success_timestamp_seconds 1795150000.5\n"
        let failed = report(status: 69, former: report(Self.full))
        #expect(failed.contains(kept))
        #expect(failed.contains("reconcile_run_exit_status 69\n"))
        #expect(!failed.contains("reconcile_receipts"))
        #expect(!report(status: 4).contains("last_success"))
        #expect(
            !report(status: 3, former: "reconcile_last_success_timestamp_seconds x\n")
                .contains("last_success"))
        #expect(report(status: 70, former: failed).contains(kept))
    }
}
