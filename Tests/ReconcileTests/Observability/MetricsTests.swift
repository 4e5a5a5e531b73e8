import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The metrics of a run")
struct MetricsTests {
    private let full = MetricsTests.report(
        {
            var summary = RunSummary.sample(findings: [.expired], unverified: 3)
            summary.requests.byStatus = [0: 5, 21007: 2, 21199: 1, 77: 1, -5: 1]
            summary.requests.byHTTPStatus = [200: 9, 503: 1, 9_999: 1]
            summary.facts.startedAt = .init(milliseconds: 1_000)
            summary.facts.endedAt = .init(milliseconds: 3_500)
            return summary
        }())

    private static func report(
        _ summary: RunSummary? = nil, status: Int32 = 0, former: String = ""
    ) -> String {
        let now = Instant(milliseconds: 1_795_150_000_500)
        return MetricsReport(summary, pace: nil, exitStatus: status, at: now, former: former).text
    }

    @Test("Each family in the text format has its help and type, followed by its samples")
    func format() {
        var family = ""
        var seen: Set<String> = []
        for line in full.split(separator: "\n") {
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
        #expect(seen.count > 10 && full.last == "\n")
    }

    @Test("The metrics equal the summary's counts, and their labels are bounded")
    func values() {
        for line in #"""
        receipts{outcome="unverified"} 3
        run_exit_status 0
        run_status{status="complete"} 1
        run_status{status="held"} 0
        run_duration_seconds 2.5
        requests_by_status{status="21007"} 2
        requests_by_status{status="211xx"} 1
        requests_by_status{status="other"} 2
        requests_by_http_class{class="5xx"} 1
        last_success_timestamp_seconds 1795150000.5
        """#.split(separator: "\n") { #expect(full.contains("\nreconcile_\(line)\n"), "\(line)") }
        #expect(!full.contains("99xx"))
    }

    @Test("The last success is kept from the previous file when a run fails, and nothing else is")
    func lastSuccess() {
        let kept = "reconcile_last_success_timestamp_seconds 1795150000.5\n"
        let failed = Self.report(status: 69, former: full)
        #expect(failed.contains(kept) && !failed.contains("reconcile_receipts"))
        #expect(failed.contains("reconcile_run_exit_status 69\n"))
        #expect(Self.report(status: 70, former: failed).contains(kept))
        for former in ["", kept.replacing("1795150000.5", with: "x")] {
            #expect(!Self.report(status: 3, former: former).contains("last_success"))
        }
    }
}

@Suite("The progress line")
struct ProgressTests {
    private func progress(
        _ done: Int, _ elapsed: Duration, of receipts: Int = 80_000
    ) -> RunProgress {
        RunProgress(
            receiptsDone: done, receiptsInScope: receipts, findings: 21, requestsSent: done,
            inFlight: 16, elapsed: elapsed)
    }

    /// The terminal's width, the number of receipts done, and milliseconds. The time left is
    /// missing before the first receipt, and the bar is full at the last.
    @Test(
        "The line fits the terminal by leaving out the least important parts",
        arguments: textTable(
            """
            79 | 12345 | 247600  | [###>                ] 12345/80000 15%  22:36 left  49.8/s  \
            21 findings
            60 | 12345 | 247600  | 12345/80000 15%  22:36 left  49.8/s  21 findings
            40 | 12345 | 247600  | 12345/80000 15%  22:36 left  49.8/s
            30 | 12345 | 247600  | 12345/80000 15%  22:36 left
            10 | 12345 | 247600  | 12345/8000
            79 | 0     | 9000    | [>                   ] 0/80000 0%  21 findings
            79 | 8     | 8000    | [>                   ] 8/80000 0%  22:13:12 left  1.0/s  \
            21 findings
            79 | 80000 | 8000000 | [####################] 80000/80000 100%  0:00 left  10.0/s  \
            21 findings
            """))
    func fits(row: [String]) {
        let numbers = row.compactMap { Int($0) }
        let progress = progress(numbers[1], .milliseconds(numbers[2]))
        #expect(Progress(progress).line(width: numbers[0]) == row[3])
        // A run without receipts is complete.
        let nothing = Progress(self.progress(0, .zero, of: 0)).line(width: 40)
        #expect(nothing == "0/0 100%  21 findings")
    }

    @Test("Without a terminal a line is due every ten per cent and every minute")
    func pace() {
        var pace = ProgressPace()
        let steps = [
            (0, 0, true), (1, 1, false), (7_999, 2, false), (8_000, 3, true), (8_001, 62, false),
            (8_002, 63, true), (8_003, 122, false), (79_999, 122, true), (80_000, 122, true),
        ]
        for (done, elapsed, isDue) in steps {
            #expect(pace.isDue(progress(done, .seconds(elapsed))) == isDue, "\(done)")
        }
    }
}
