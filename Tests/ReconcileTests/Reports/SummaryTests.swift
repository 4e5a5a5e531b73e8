import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The summary of a run")
struct SummaryTests {
    /// The order of the members, and empty ones, are those of the example folder's summary.json.
    @Test("The JSON has what was cleared, the change since the night before, and earlier nights")
    func json() throws {
        var summary = Summary.sample(
            findings: [.refundRecorded, .expiredStillGranted, .refundRecorded], unverified: 1)
        summary.facts.clearedByKind = [.refundedStillGranted: 1]
        try summary.money.add(Money(minorUnits: 250, in: .usd), to: .refunded)
        var earlier = MoneyTally()
        try earlier.add(Money(minorUnits: 900, in: #require(Currency("JPY"))), to: .leak)
        let id = RunID(text: "20261119T020000Z-000001")
        summary.facts.earlierRuns = [
            .init(
                run: id, asOf: .day(-1), status: .incomplete, findings: 5, events: 2,
                money: earlier)
        ]
        summary.facts.eventDays = [
            Summary.EventDay(day: Instant.day(-1).day, refunds: 2, expirations: 0)
        ]
        summary.facts.monthToDate = MonthToDate(
            month: "2026-11", refunds: 14, money: [Money(minorUnits: 9_950, in: try .usd)])
        summary.sourcesAgree = 3
        summary.sourcesDiffer = 1
        summary.statusesDiffer = 2
        let json = oneLine(SummaryReport.json(summary, codeVersion: "0.1.0"))
        let parts = [
            #""code_version": "0.1.0", "started_at": null, "ended_at": null, "#,
            #""cleared": 1, "cleared_by_kind": { "refunded_still_granted": 1 }, "#,
            #""money_by": { "kind": {}, "product": {}, "bundle": {}, "amount_basis": {} }, "#,
            #"""
            "source_agreement": { "agree": 3, "differ": 1 }, \#
            "status_agreement": { "agree": 0, "differ": 2 },
            """#,
            #"""
            "change": { "since": "20261119T020000Z-000001", "findings": -2, "money": { \#
            "leak": { "JPY": "-900" }, "owed": {} } }, \#
            "month_to_date": { "month": "2026-11", "refunds": 14, \#
            "money": { "USD": "99.50" } }, \#
            "event_days": [ { "day": "2026-11-19", "refunds": 2, "expirations": 0 } ], \#
            "earlier_nights": [ { "run_id": "20261119T020000Z-000001", \#
            "as_of": "2026-11-19T02:00:00Z", "status": "incomplete", "findings": 5, \#
            "events": 2, "money": { "leak": { "JPY": "900" }, "owed": {}, "refunded": {} } } ],
            """#,
            #"""
            "requests": { "sent": 12, "production": 10, "sandbox": 2, "server_api": 0, \#
            "server_api_sandbox": 0, "retries": 1, \#
            "by_status": { "0": 9, "21007": 2 }, "by_http_status": { "200": 11, "503": 1 } } }
            """#,
        ]
        for part in parts { #expect(json.contains(part), "\(json)") }
    }

    @Test("The text says what was found, how it ties out and where to read more")
    func text() {
        let summary = Summary.sample(findings: [.refundRecorded], unverified: 1)
        #expect(
            SummaryText.lines(summary, folder: "reports/x").joined(separator: "\n") == """
                Run 20261120T020000Z-000abc, judged as of 2026-11-20T02:00:00Z: complete

                Findings                                   1   1 high
                  expirations.csv                          0
                  refunds.csv                              1
                    refund_recorded                        1
                  mismatches.csv                           0
                  receipts.csv                             0

                New since the last run                     1   0 persisting, 0 reopened, 0 accepted
                Cleared since the last run                 0

                Receipts                                  10 = 9 verified + 0 rejected \
                + 0 unusable + 1 unverified
                Entitlements                               0 = 0 consistent + 0 with a finding \
                + 0 settling + 0 unverified + 0 not judged
                Users in the views                         0   10 receipts, 0 entitlements, \
                when it was cut
                Users in the views                         0   10 receipts, 0 entitlements, \
                when it was closed
                Requests to Apple                         12   10 production, 2 sandbox, \
                of which 1 retries; oldest answer of 2026-11-20T02:00:00Z

                Reports: reports/x
                """)
    }

    /// Requests in 100 s, with seconds of waiting for tokens, and for at most 16 answers. To add a
    /// case, copy one.
    struct Speed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let requests: Int
        var forTokens = 0
        let forAnswers: Int
        /// Nil if there is no such line.
        let line: String?
    }

    @Test(
        "The summary says whether the rate or --in-flight limited the run, or neither",
        arguments: [
            Speed(
                testDescription: "the rate", requests: 1_000, forTokens: 1_300, forAnswers: 300,
                line: "10.0   held back by --rate; 3.0"),
            Speed(
                testDescription: "neither", requests: 123_456, forTokens: 10, forAnswers: 200,
                line: "1,234.6   held back by neither --rate nor --in-flight; 2.0"),
            Speed(
                testDescription: "neither, as a higher limit would have no requests to send",
                requests: 400_000, forTokens: 150, forAnswers: 900,
                line: "4,000.0   held back by neither --rate nor --in-flight; 9.0"),
            Speed(
                testDescription: "--in-flight", requests: 2_000, forAnswers: 1_590,
                line: """
                    20.0   held back by --in-flight: as many were in flight as it allows; 15.9
                    """),
            Speed(testDescription: "no request", requests: 0, forAnswers: 1, line: nil),
            Speed(
                testDescription: "a single request has no speed", requests: 1, forAnswers: 1,
                line: nil),
        ])
    func pace(speed: Speed) {
        let pace = RequestRate(
            requests: speed.requests, forTokens: .seconds(speed.forTokens),
            forAnswers: .seconds(speed.forAnswers), limit: 16, elapsed: .seconds(100))
        #expect((pace == nil) == (speed.line == nil))
        let last = SummaryText.lines(.sample(), pace: pace, folder: nil).last ?? ""
        guard let line = speed.line else {
            #expect(!last.hasPrefix("Requests a second   "))
            return
        }
        #expect(last.hasPrefix("Requests a second   "))
        #expect(last.hasSuffix(" \(line) in flight on average"))
    }

    @Test("An incomplete or partial run is named at the beginning; digits are grouped")
    func caveats() {
        let run = Run.sample(scope: .limited(users: 3))
        let lines = SummaryText.lines(.sample(run, status: .incomplete, unverified: 4), folder: nil)
        #expect(
            lines[1...2].joined(separator: "\n") == """
                INCOMPLETE: 4 receipts unchecked.
                This is a partial run: its totals are not those of the night. It does not look \
                for shared_original_transaction and shared_receipt, which need a comparison of \
                all users.
                """)
        let numbers = [0, 999, 1_000, 80_000, 1_234_567, -1_234].map(\.grouped)
        #expect(numbers == ["0", "999", "1,000", "80,000", "1,234,567", "-1,234"])
    }
}

@Suite("The report of inspect")
struct InspectionReportTests {
    private func report(
        _ payload: PayloadForge = PayloadForge(), isForged: Bool = false, version: String? = nil,
        at instant: Instant = .asOf
    ) throws -> (text: String, json: String, bytes: [UInt8]) {
        var bytes = ReceiptAuthority.shared.receipt(payload.encoded)
        if isForged { bytes[bytes.count - 1] ^= 1 }
        var question = InspectionQuestion.testing
        question.appVersion = version
        let inspection = try Inspection(bytes, question)
        let json = oneLine(InspectionJSON(inspection, at: instant).bytes)
        return (InspectionText(inspection, at: instant).text, json, bytes)
    }

    @Test("The report has a line for each step, a verdict, and a line for each field")
    func steps() throws {
        let unknown = PayloadForge.attribute(9_999, [0xDE, 0xAD])
        let (text, json, bytes) = try report(
            PayloadForge(purchases: [PayloadForge.purchase()], others: unknown), version: "8")
        let lines = [
            """
            signed by Apple  passed       Test Receipt Signing ← Test Developer Relations \
            ← Test Root, valid at 2024-05-06T07:08:09Z
            bundle           not checked  the receipt is of acme; compare: --bundle
            version          differs      the receipt is of version 7, not 8: it says only \
            when the receipt was made
            device           not checked  only who knows the device's identifier can tell: --guid

            Genuine, as of its signing. It says nothing of what happened since.
            SHA-256 \(Digest.sha256(bytes).hexadecimal)
            """,
            "  12    receipt_creation_date          2024-05-06T07:08:09Z",
            "  9999                                 dead",
            "  1712  cancellation_date              –",
            "  1707  product_type                   3 (auto-renewable)",
        ]
        for line in lines { #expect(text.contains("\n\(line)\n")) }
        let parts = [
            #"""
            { "inspection_version": 1, "genuine": true, "failed_step": null, "form": \#
            "app_receipt", "bytes": \#(bytes.count),
            """#,
            #""step": "device", "verdict": "not_checked", "#,
            #""certificates": [ "CN=Test Receipt Signing", "#,
            #""type": 2, "name": "bundle_id", "encoding": "text", "value": "acme" "#,
            #""name": "cancellation_date", "encoding": "absent", "value": null "#,
            #""name": "product_type", "encoding": "integer", "value": "3""#,
        ]
        for part in parts { #expect(json.contains(part)) }
    }

    @Test("Control characters in a receipt are escaped")
    func hostile() throws {
        let (text, json, _) = try report(
            PayloadForge(bundle: "a\u{1B}[31m\n\u{202E}b", version: "\"\\\u{0}"))
        #expect(text.contains(#"a\u001b[31m\n\u202eb"#))
        #expect(text.utf8.filter { $0 < 0x20 && $0 != 10 } == [])
        let values = [#""value": "a\u001b[31m\n"#, #""value": "\"\\\#u{FFFD}""#]
        #expect(values.filter { !json.contains($0) } == [])
    }

    /// The kind of the product is a number; nil is a subscription until 1 June. To add a case, copy
    /// a row.
    @Test(
        "The report of a genuine receipt shows the rights at an instant, and their end",
        arguments: [
            (
                instant: "2024-05-10T00:00:00Z", kind: nil,
                words: "active until 2024-06-01T00:00:00Z"
            ),
            ("2024-06-02T00:00:00Z", nil, "expired on 2024-06-01T00:00:00Z"),
            ("2024-05-10T00:00:00Z", 0, "active, without an end"),
            ("2024-05-10T00:00:00Z", 1, "bought on 2024-05-01T00:00:00Z; its end"),
        ] as [(instant: String, kind: UInt8?, words: String)])
    func gives(instant: String, kind: UInt8?, words: String) throws {
        let purchase = kind.map { PayloadForge.purchase(expires: "", kind: $0) }
        let (text, json, _) = try report(
            PayloadForge(purchases: [purchase ?? PayloadForge.purchase()]),
            at: #require(Instant(rfc3339: instant)))
        #expect(text.contains("At \(instant) it gives:\n  pro.monthly"))
        #expect(text.contains("  " + words))
        #expect(json.contains("\"state\": \"\(words)"))
        #expect(json.contains("\"as_of\": \"\(instant)\""))
    }

    @Test("A genuine receipt without rights says so; another names its failed step, and no rights")
    func givesNothing() throws {
        #expect(try report().text.contains("\nAt \(Instant.asOf) it gives nothing."))
        let (text, json, _) = try report(isForged: true)
        #expect(!text.contains("it gives"))
        #expect(text.contains("\nNot genuine: its signature does not fit its bytes"))
        #expect(json.contains("\"gives\": null"))
        #expect(json.contains("\"genuine\": false, \"failed_step\": \"signature\", "))
    }
}
