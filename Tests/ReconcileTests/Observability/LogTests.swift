import Foundation
import Testing

@testable import Reconcile

@Suite("The log")
struct LogTests {
    private static let now = Instant(milliseconds: 1_795_140_000_007)
    private static let ts = "2026-11-20T02:00:00.007Z "

    private func line(
        _ event: RunEvent, _ format: Log.Format = .text, _ level: Log.Level = .info
    ) -> String? {
        var log = Log(format: format, level: level)
        return log.line(for: event, at: Self.now)
    }

    @Test("Each event and each change of the pace of requests to Apple is one line")
    func text() {
        let changes: [PaceChange] = [
            .rateHalved(.production, perSecond: 12.5), .rateRestored(.sandbox, perSecond: 10),
            .paused(.sandbox, for: .seconds(90)),
            .outageBegan(cause: "curl 7: Couldn't connect to server"),
            .outageBegan(cause: "HTTP 503"), .outageEnded(after: .milliseconds(61_900)),
            .outageOutlasted(after: .seconds(600)),
            .bundleStopped("com.example.a", .sharedSecretRejected),
            .bundlePaused("com.example.a", status: 21004),
            .bundleStopped("b\nc", .sharedSecretMissing),
        ]
        let events: [RunEvent] = [
            .started(.sample(), receipts: 80_000, users: 5), .abandoned(Run.sample().id),
            .skippedRow(view: "stored_receipts", id: "a b=\"c\"", why: ""),
            .skippedRow(view: "v", id: nil, why: "null"),
            .warning(
                "No secret for \"x\"\nnext\u{1B}[31m\u{9B}2J\u{202E}\u{200F}\u{61C}\u{E0041}"),
            .published(.sample(findings: [.expired]), folder: "reports/x"),
            .secondLook(users: 7, groups: 1), .controlRefused("r1"),
        ]
        let pause =
            " Half of Apple's answers are failures: the run pauses and tries one request at a"
            + " time, for --outage-patience at most."
        let lines = #"""
            info    started run_id=20261120T020000Z-000abc as_of=2026-11-20T02:00:00Z \#
            receipts=80000 users=5
            warning abandoned abandoned_run_id=20261120T020000Z-000abc
            warning skipped_row view=stored_receipts id="a b=\"c\"" why=""
            warning skipped_row view=v id=- why=null
            warning notice No secret for "x"\nnext\u001b[31m\u009b2J\u202e\u200f\u061c\udb40\udc41
            info    published run_id=20261120T020000Z-000abc folder=reports/x \#
            status=complete findings=1 receipts=10 unverified=0
            info    second_look users=7 groups=1
            warning control_refused receipt_id=r1 Apple refuses a receipt that it verified \#
            earlier in this run. Refused receipts are sent again after --outage-patience.
            warning rate_halved server=production per_second=12.5
            info    rate_restored server=sandbox per_second=10.0
            warning paused server=sandbox seconds=90
            warning outage_began cause="curl 7: Couldn't connect to server"\#(pause)
            warning outage_began cause="HTTP 503"\#(pause)
            info    outage_ended seconds=61
            error   outage_gave_up seconds=600
            error   bundle_stopped bundle_id=com.example.a cause=shared_secret_rejected
            warning bundle_paused bundle_id=com.example.a status=21004
            error   bundle_stopped bundle_id="b\nc" cause=shared_secret_missing
            """#
        let written = (events + changes.map(RunEvent.pace)).map { line($0) }
        #expect(written == lines.split(separator: "\n").map { Self.ts + $0 })
    }

    @Test("At level debug each request is one line with its result, in JSON with numbers")
    func requests() {
        let events = [
            .answered,
            RequestLine(
                receipt: "r 2", server: .sandbox, attempt: 3, httpStatus: 503, duration: .zero,
                bytes: 0),
            RequestLine(
                receipt: nil, server: .production, attempt: 1, duration: .seconds(15), bytes: 0,
                failure: "curl 28: Timeout was reached"),
        ].map { RunEvent.requested($0) }
        #expect(events.map { line($0) } == [nil, nil, nil])
        let lines = """
            receipt_id=r1 server=production attempt=1 http_status=200 status=0 milliseconds=123 \
            bytes=4096 request_id=7A-b9
            receipt_id="r 2" server=sandbox attempt=3 http_status=503 status=- milliseconds=0 \
            bytes=0 request_id=-
            receipt_id=- server=production attempt=1 http_status=- status=- milliseconds=15000 \
            bytes=0 request_id=- failure="curl 28: Timeout was reached"
            """.split(separator: "\n")
        #expect(
            events.map { line($0, .text, .debug) }
                == lines.map { Self.ts + "debug   requested " + $0 })
        let json = """
            "receipt_id":"r1","server":"production","attempt":1,"http_status":200,"status":0,\
            "milliseconds":123,"bytes":4096,"request_id":"7A-b9"}
            "receipt_id":"r 2","server":"sandbox","attempt":3,"http_status":503,\
            "status":null,"milliseconds":0,"bytes":0,"request_id":null}
            "receipt_id":null,"server":"production","attempt":1,"http_status":null,\
            "status":null,"milliseconds":15000,"bytes":0,"request_id":null,\
            "failure":"curl 28: Timeout was reached"}
            """.split(separator: "\n")
        for (event, members) in zip(events, json) {
            let line = line(event, .json, .debug) ?? ""
            #expect(line.hasSuffix(#""event":"requested","# + members), "\(line)")
        }
    }

    @Test("JSON lines can be parsed, and have the run's id from its start on")
    func json() throws {
        let rate = line(.pace(.rateHalved(.sandbox, perSecond: 2.5)), .json) ?? ""
        #expect(rate.hasSuffix(#""event":"rate_halved","server":"sandbox","per_second":2.5}"#))
        var log = Log(format: .json)
        let strange = "a\"b\\c\n\u{1}\u{85}\u{2028}\u{200F}\u{E0041}é🦊"
        let before = log.line(for: .warning(strange), at: Self.now) ?? ""
        #expect(before.hasPrefix("{") && !before.contains("run_id") && !before.contains("\n"))
        _ = log.line(for: .started(.sample(), receipts: 1, users: 1), at: Self.now)
        let line = log.line(for: .warning(strange), at: Self.now) ?? ""
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        #expect(
            object == [
                "ts": "2026-11-20T02:00:00.007Z", "level": "warning", "event": "notice",
                "run_id": "20261120T020000Z-000abc", "message": strange,
            ])
    }

    @Test("Events below the level are left out, but for the last line; colour is on request")
    func levels() {
        let events: [RunEvent] = [
            .started(.sample(), receipts: 1, users: 1), .warning("w"), .requested(.answered),
        ]
        for (count, level) in [Log.Level.error, .warning, .info, .debug].enumerated() {
            #expect(events.compactMap { line($0, .text, level) }.count == count)
        }
        func last(_ format: Log.Format, _ text: String, _ status: Int32) -> String {
            Log(format: format, level: .error).lastLine(text, exitStatus: status, at: Self.now)
        }
        #expect(last(.text, "All is\nwell.", 0) == #"reconcile-job: All is\nwell."#)
        #expect(
            last(.json, "No \"x\".", 78) == #"""
                {"ts":"2026-11-20T02:00:00.007Z","level":"error","event":"exit","code":78,\#
                "message":"No \"x\"."}
                """#)
        var log = Log(format: .text, isColoured: true)
        let coloured = log.line(for: .warning("w"), at: Self.now)
        #expect(coloured == Self.ts + "\u{1B}[33mwarning\u{1B}[0m notice w")
    }
}

extension RequestLine {
    fileprivate static let answered = RequestLine(
        receipt: "r1", server: .production, attempt: 1, httpStatus: 200, status: 0,
        duration: .microseconds(123_900), bytes: 4_096, requestID: "7A-b9")
}
