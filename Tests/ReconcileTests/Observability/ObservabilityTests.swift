import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The log")
struct LogTests {
    private let now = Instant(milliseconds: 1_795_140_000_007)
    private let time = "2026-11-20T02:00:00.007Z "
    private let answered = RequestLine(
        receipt: "r1", server: .production, attempt: 1, httpStatus: 200, status: 0,
        duration: .microseconds(123_900), bytes: 4_096, requestID: "7A-b9")

    private func line(_ event: RunEvent, _ log: Log = Log(format: .text)) -> String? {
        var log = log
        return log.line(for: event, at: now)
    }

    private static let changes: [PaceChange] = [
        .rateHalved(.production, perSecond: 12.5), .rateRestored(.sandbox, perSecond: 10),
        .paused(.sandbox, for: .seconds(90)), .clockDiffers(server: .day(-1), ours: .asOf),
        .outageBegan(cause: "curl 7: Couldn't connect"),
        .outageEnded(after: .milliseconds(61_900)), .outageGaveUp(after: .seconds(600)),
        .bundlePaused(AppReceipts(bundle: "acme.a", areApples: true), status: 21004),
        .bundleStopped(AppReceipts(bundle: "b\nc", areApples: true), .sharedSecretMissing),
        .bundleStopped(AppReceipts(bundle: "acme.a", areApples: false), .sharedSecretRejected),
    ]

    @Test("Each event and each change of the pace of requests to Apple is one line")
    func text() {
        let events: [RunEvent] = [
            .started(.sample(), receipts: 80_000, users: 5), .abandoned(Run.sample().id),
            .skippedRow(view: "stored_receipts", id: "a b=\"c\"", why: ""),
            .skippedRow(view: "v", id: nil, why: "null"),
            .warning("No secret for \"x\"\n\u{1B}[31m\u{9B}2J\u{202E}\u{200F}\u{61C}\u{E0041}"),
            .published(.sample(findings: [.expired]), folder: "reports/x"),
            .secondLook(users: 7, groups: 1), .controlRefused("r1"), .skippedMoreRows(30),
            .rowsWithoutUser(RowsWithoutUser(receipts: 3, entitlements: 200_000)),
        ]
        let lines = #"""
            info    started run_id=20261120T020000Z-000abc as_of=2026-11-20T02:00:00Z \#
            receipts=80000 users=5
            warning abandoned abandoned_run_id=20261120T020000Z-000abc
            warning skipped_row view=stored_receipts id="a b=\"c\"" why=""
            warning skipped_row view=v id=- why=null
            warning notice No secret for "x"\n\u001b[31m\u009b2J\u202e\u200f\u061c\udb40\udc41
            info    published run_id=20261120T020000Z-000abc folder=reports/x \#
            status=complete findings=1 receipts=10 unverified=0
            info    second_look users=7 groups=1
            warning control_refused receipt_id=r1 Apple refuses a receipt that it verified \#
            earlier in this run. Refused receipts are sent again after --outage-patience.
            warning skipped_rows rows=30 More rows have a null that must not be one. All of them \#
            are listed in not_reported.csv (invalid_row) and unverified.csv \#
            (stored_row_invalid). Correct the rows or the views.
            warning rows_without_user entitlements=200000 receipts=3 These rows have no user_id. \#
            They are counted as not judged and as unusable. Return the user in the views, or \#
            leave the rows out.
            warning rate_halved server=production per_second=12.5
            info    rate_restored server=sandbox per_second=10.0
            warning paused server=sandbox seconds=90
            warning clock_differs Apple's clock says 2026-11-19T02:00:00Z, but this machine's \#
            says 2026-11-20T02:00:00Z. Correct the clock that is wrong, for example by NTP.
            warning outage_began cause="curl 7: Couldn't connect" Half of Apple's answers are \#
            failures: one request at a time is tried, and the others wait, for \#
            --outage-patience at most.
            info    outage_ended seconds=61
            error   outage_gave_up seconds=600
            warning bundle_paused bundle_id=acme.a receipts=written_by_apple status=21004
            error   bundle_stopped bundle_id="b\nc" receipts=written_by_apple \#
            cause=shared_secret_missing
            warning bundle_stopped bundle_id=acme.a receipts=others cause=shared_secret_rejected
            """#
        let written = (events + Self.changes.map(RunEvent.pace)).map { line($0) }
        #expect(written == lines.split(separator: "\n").map { time + $0 })
    }

    @Test("At level debug each request is one line with its result, in JSON with numbers")
    func requests() {
        let silent = RequestLine(
            receipt: nil, server: .sandbox, attempt: 3, duration: .seconds(15), bytes: 0,
            failure: "curl 28: Timeout was reached")
        expect(
            answered,
            text: """
                receipt_id=r1 server=production attempt=1 http_status=200 status=0 \
                milliseconds=123 bytes=4096 request_id=7A-b9
                """,
            json: """
                "receipt_id":"r1","server":"production","attempt":1,"http_status":200,"status":0,\
                "milliseconds":123,"bytes":4096,"request_id":"7A-b9"}
                """)
        expect(
            silent,
            text: """
                receipt_id=- server=sandbox attempt=3 http_status=- status=- milliseconds=15000 \
                bytes=0 request_id=- failure="curl 28: Timeout was reached"
                """,
            json: """
                "receipt_id":null,"server":"sandbox","attempt":3,"http_status":null,"status":null,\
                "milliseconds":15000,"bytes":0,"request_id":null,\
                "failure":"curl 28: Timeout was reached"}
                """)
    }

    private func expect(_ request: RequestLine, text: String, json: String) {
        let event = RunEvent.requested(request)
        #expect(line(event) == nil)
        let written = line(event, Log(format: .text, level: .debug))
        #expect(written == time + "debug   requested " + text)
        let object = line(event, Log(format: .json, level: .debug)) ?? ""
        #expect(object.hasSuffix(#""event":"requested","# + json), "\(object)")
    }

    @Test("JSON lines can be parsed, and have the run's id from its start on")
    func json() throws {
        let rate = line(.pace(.rateHalved(.sandbox, perSecond: 2.5)), Log(format: .json)) ?? ""
        #expect(rate.hasSuffix(#""event":"rate_halved","server":"sandbox","per_second":2.5}"#))
        var log = Log(format: .json)
        let strange = "a\"b\\c\n\u{1}\u{85}\u{2028}\u{200F}\u{E0041}é🦊"
        let before = log.line(for: .warning(strange), at: now) ?? ""
        #expect(before.hasPrefix("{"))
        #expect(!before.contains("run_id"))
        #expect(!before.contains("\n"))
        _ = log.line(for: .started(.sample(), receipts: 1, users: 1), at: now)
        let line = log.line(for: .warning(strange), at: now) ?? ""
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        let members = [
            "ts": "2026-11-20T02:00:00.007Z", "level": "warning", "event": "notice",
            "run_id": "20261120T020000Z-000abc", "message": strange,
        ]
        #expect(object == members)
    }

    @Test("Events below the level are left out, but for the last line; colour is on request")
    func levels() {
        let started = RunEvent.started(.sample(), receipts: 1, users: 1)
        let events = [started, .warning("w"), .requested(answered)]
        for (count, level) in [Log.Level.error, .warning, .info, .debug].enumerated() {
            #expect(events.compactMap { line($0, Log(format: .text, level: level)) }.count == count)
        }
        func last(_ format: Log.Format, _ text: String, _ status: Int32) -> String {
            Log(format: format, level: .error).lastLine(text, exitStatus: status, at: now)
        }
        #expect(last(.text, "All is\nwell.", 0) == #"reconcile-job: All is\nwell."#)
        let json = #""level":"error","event":"exit","code":78,"message":"No \"x\"."}"#
        #expect(last(.json, "No \"x\".", 78) == #"{"ts":"2026-11-20T02:00:00.007Z","# + json)
        var log = Log(format: .text, isColoured: true)
        let coloured = log.line(for: .warning("w"), at: now)
        #expect(coloured == time + "\u{1B}[33mwarning\u{1B}[0m notice w")
    }
}

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

@Suite("The progress line")
struct ProgressTests {
    private func progress(_ done: Int, _ time: Duration, of receipts: Int = 80_000)
        -> RunEvent.Progress
    {
        RunEvent.Progress(
            receiptsDone: done, receiptsInScope: receipts, findings: 21, requestsSent: done,
            inFlight: 16, elapsed: time)
    }

    /// The terminal's width and the seconds so far. To add a case, copy a row.
    @Test(
        "The line fits the terminal by leaving out the least important parts",
        arguments: [
            (
                width: 79, done: 12_345, receipts: 80_000, seconds: 247.6,
                line: "[###>                ] 12345/80000 15%  22:36 left  49.8/s  21 findings"
            ),
            (60, 12_345, 80_000, 247.6, "12345/80000 15%  22:36 left  49.8/s  21 findings"),
            (40, 12_345, 80_000, 247.6, "12345/80000 15%  22:36 left  49.8/s"),
            (30, 12_345, 80_000, 247.6, "12345/80000 15%  22:36 left"),
            (10, 12_345, 80_000, 247.6, "12345/8000"),
            (79, 0, 80_000, 9, "[>                   ] 0/80000 0%  21 findings"),
            (60, 8, 80_000, 8, "8/80000 0%  22:13:12 left  1.0/s  21 findings"),
            (79, 90, 90, 9, "[####################] 90/90 100%  0:00 left  10.0/s  21 findings"),
            (40, 0, 0, 0, "0/0 100%  21 findings"),
        ] as [(width: Int, done: Int, receipts: Int, seconds: Double, line: String)])
    func fits(width: Int, done: Int, receipts: Int, seconds: Double, line: String) {
        let progress = progress(done, .seconds(seconds), of: receipts)
        #expect(Progress(progress).line(width: width) == line)
    }

    @Test("Without a terminal a line is due every ten per cent and every minute")
    func pace() {
        var pace = ProgressPace()
        for (done, elapsed, isDue) in [
            (0, 0, true), (1, 1, false), (7_999, 2, false), (8_000, 3, true), (8_001, 62, false),
            (8_002, 63, true), (8_003, 122, false), (79_999, 122, true), (80_000, 122, true),
        ] { #expect(pace.isDue(progress(done, .seconds(elapsed))) == isDue, "\(done)") }
    }
}
