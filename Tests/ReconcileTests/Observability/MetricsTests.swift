import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a number in `full`, and the sample that shows it.
@Suite("The metrics of a run")
struct MetricsTests {
    private static let full: String = {
        var summary = Summary.sample(findings: [.expired], unverified: 3)
        summary.requests.byStatus = [0: 5, 21007: 2, 21199: 1, 77: 1, -5: 1]
        summary.requests.byHTTPStatus = [200: 9, 503: 1, 9_999: 1]
        summary.facts.startedAt = .init(milliseconds: 1_000)
        summary.facts.endedAt = .init(milliseconds: 3_500)
        return report(summary, status: 0, former: "")
    }()

    private static func report(_ summary: Summary?, status: Int32, former: String) -> String {
        let now = Instant(milliseconds: 1_795_150_000_500)
        return MetricsReport(summary, pace: nil, exitStatus: status, at: now, former: former).text
    }

    @Test("Each family has its help, its type and its samples, which equal the summary's counts")
    func format() {
        var family = ""
        var seen: Set<String> = []
        for line in Self.full.split(separator: "\n") {
            if let match = line.wholeMatch(of: #/# HELP (reconcile_[a-z_]+) \S.*\./#) {
                family = String(match.1)
                #expect(seen.insert(family).inserted)
            } else if line.hasPrefix("#") {
                #expect(line == "# TYPE \(family) gauge")
            } else {
                let labels = #/([a-z_]+)(?:\{[a-z]+="\w+"(?:,[a-z]+="\w+")*\})? (\S+)/#
                let sample = line.wholeMatch(of: labels.asciiOnlyWordCharacters())
                #expect(sample.map { String($0.1) } == family, "\(line)")
                #expect(sample.flatMap { Double($0.2) } != nil, "\(line)")
            }
        }
        #expect(seen.count > 10)
        #expect(Self.full.last == "\n")
        for line in [
            #"receipts{outcome="unverified"} 3"#, "run_exit_status 0", "run_duration_seconds 2.5",
            #"run_status{status="complete"} 1"#, #"run_status{status="held"} 0"#,
            #"requests_by_status{status="21007"} 2"#, #"requests_by_status{status="211xx"} 1"#,
            #"requests_by_status{status="other"} 2"#, #"requests_by_http_class{class="5xx"} 1"#,
            "last_success_timestamp_seconds 1795150000.5",
        ] { #expect(Self.full.contains("\nreconcile_\(line)\n"), "\(line)") }
        // The labels are bounded.
        #expect(!Self.full.contains("99xx"))
    }

    @Test("The last success is kept from the previous file when a run fails, and nothing else is")
    func lastSuccess() {
        let kept = "reconcile_last_success_timestamp_seconds 1795150000.5\n"
        let failed = Self.report(nil, status: 69, former: Self.full)
        #expect(failed.contains(kept))
        #expect(!failed.contains("reconcile_receipts"))
        #expect(failed.contains("reconcile_run_exit_status 69\n"))
        #expect(Self.report(nil, status: 70, former: failed).contains(kept))
        for former in ["", kept.replacing("1795150000.5", with: "x")] {
            #expect(!Self.report(nil, status: 3, former: former).contains("last_success"))
        }
    }
}
