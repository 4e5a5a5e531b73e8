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

    /// To add an event, add it with its line.
    private static let events: [(RunEvent, line: String)] = [
        (
            .started(.sample(), receipts: 80_000, users: 5),
            """
            info    started run_id=20261120T020000Z-000abc as_of=2026-11-20T02:00:00Z \
            receipts=80000 users=5
            """
        ),
        (
            .abandoned(Run.sample().id),
            "warning abandoned abandoned_run_id=20261120T020000Z-000abc"
        ),
        (
            .skippedRow(view: "stored_receipts", id: "a b=\"c\"", why: ""),
            #"warning skipped_row view=stored_receipts id="a b=\"c\"" why="""#
        ),
        (
            .skippedRow(view: "v", id: nil, why: "null"),
            "warning skipped_row view=v id=- why=null"
        ),
        (
            .warning("No secret for \"x\"\n\u{1B}[31m\u{9B}2J\u{202E}\u{200F}\u{61C}\u{E0041}"),
            #"warning notice No secret for "x"\n\u001b[31m\u009b2J\u202e\u200f\u061c\udb40\udc41"#
        ),
        (
            .published(.sample(findings: [.expired]), folder: "reports/x"),
            """
            info    published run_id=20261120T020000Z-000abc folder=reports/x \
            status=complete findings=1 receipts=10 unverified=0
            """
        ),
        (
            .secondLook(users: 7, groups: 1),
            "info    second_look users=7 groups=1"
        ),
        (
            .controlRefused("r1"),
            """
            warning control_refused receipt_id=r1 Apple refuses a receipt that it verified \
            earlier in this run. Refused receipts are sent again after --outage-patience.
            """
        ),
        (
            .skippedMoreRows(30),
            """
            warning skipped_rows rows=30 More rows have a null that must not be one. All of them \
            are listed in not_reported.csv (invalid_row) and unverified.csv \
            (stored_row_invalid). Correct the rows or the views.
            """
        ),
        (
            .rowsWithoutUser(RowsWithoutUser(receipts: 3, entitlements: 200_000)),
            """
            warning rows_without_user entitlements=200000 receipts=3 These rows have no user_id. \
            They are counted as not judged and as unusable. Return the user in the views, or \
            leave the rows out.
            """
        ),
    ]

    private static let changes: [(PaceChange, line: String)] = [
        (
            .rateHalved(.production, perSecond: 12.5),
            "warning rate_halved server=production per_second=12.5"
        ),
        (
            .rateRestored(.sandbox, perSecond: 10),
            "info    rate_restored server=sandbox per_second=10.0"
        ),
        (
            .paused(.sandbox, for: .seconds(90)),
            "warning paused server=sandbox seconds=90"
        ),
        (
            .clockDiffers(server: .day(-1), ours: .asOf),
            """
            warning clock_differs Apple's clock says 2026-11-19T02:00:00Z, but this machine's \
            says 2026-11-20T02:00:00Z. Correct the clock that is wrong, for example by NTP.
            """
        ),
        (
            .outageBegan(cause: "curl 7: Couldn't connect"),
            #"""
            warning outage_began source=verify_receipt cause="curl 7: Couldn't connect" Half of \#
            Apple's answers are failures: one request at a time is tried, and the others wait, \#
            for --outage-patience at most.
            """#
        ),
        (
            .outageEnded(after: .milliseconds(61_900)),
            "info    outage_ended source=verify_receipt seconds=61"
        ),
        (
            .outageGaveUp(after: .seconds(600)),
            "error   outage_gave_up source=verify_receipt seconds=600"
        ),
        (
            .bundlePaused(AppReceipts(bundle: "acme.a", kind: .writtenByApple), status: 21004),
            "warning bundle_paused bundle_id=acme.a receipts=written_by_apple status=21004"
        ),
        (
            .bundleStopped(
                AppReceipts(bundle: "b\nc", kind: .writtenByApple), .sharedSecretMissing),
            #"""
            error   bundle_stopped bundle_id="b\nc" receipts=written_by_apple \#
            cause=shared_secret_missing
            """#
        ),
        (
            .bundleStopped(AppReceipts(bundle: "acme.a", kind: .others), .sharedSecretRejected),
            "warning bundle_stopped bundle_id=acme.a receipts=others cause=shared_secret_rejected"
        ),
    ]

    @Test("Each event and each change of the pace of requests to Apple is one line")
    func text() {
        for (event, expected) in Self.events { #expect(line(event) == time + expected) }
        for (change, expected) in Self.changes { #expect(line(.pace(change)) == time + expected) }
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
