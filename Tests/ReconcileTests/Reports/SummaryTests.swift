import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The summary of a run")
struct SummaryTests {
    /// The order of the members, and empty ones, are those of the example folder's summary.json.
    @Test("The JSON has what was cleared, the change since the night before, and earlier nights")
    func json() throws {
        var summary = RunSummary.sample(
            findings: [.refundRecorded, .expiredStillGranted, .refundRecorded], unverified: 1)
        summary.facts.clearedByKind = [.refundedStillGranted: 1]
        try summary.money.add(Money(minorUnits: 250, in: .usd), to: .refunded)
        summary.breakdown.count(1, in: try .usd, of: .refunded)
        var earlier = MoneyTally()
        try earlier.add(Money(minorUnits: 900, in: #require(Currency("JPY"))), to: .leak)
        summary.facts.earlierNights = [
            EarlierNight(
                run: RunID(text: "20261119T020000Z-000001"), asOf: .day(-1), status: .incomplete,
                findings: 5, money: earlier)
        ]
        summary.facts.eventDays = [EventDay(day: Instant.day(-1).day, refunds: 2, expirations: 0)]
        let json = oneLine(SummaryReport.json(summary, codeVersion: "0.1.0"))
        for part in [
            #""code_version": "0.1.0", "started_at": null, "ended_at": null, "#,
            #""cleared": 1, "cleared_by_kind": { "refunded_still_granted": 1 }, "#
                + #""money": { "leak": {}, "owed": {}, "refunded": { "USD": "2.50" } }, "#
                + #""money_counts": { "leak": {}, "owed": {}, "refunded": { "USD": 1 } }, "#
                + #""money_by": { "kind": {}, "product": {}, "bundle": {} }, "#,
            #""change": { "since": "20261119T020000Z-000001", "findings": -2, "money": { "#
                + #""leak": { "JPY": "-900" }, "owed": {}, "refunded": { "USD": "2.50" } } }, "#
                + #""event_days": [ { "day": "2026-11-19", "refunds": 2, "expirations": 0 } ], "#
                + #""earlier_nights": [ { "run_id": "20261119T020000Z-000001", "#
                + #""as_of": "2026-11-19T02:00:00Z", "status": "incomplete", "findings": 5, "#
                + #""money": { "leak": { "JPY": "900" }, "owed": {}, "refunded": {} } } ], "#,
            #""requests": { "sent": 12, "production": 10, "sandbox": 2, "retries": 1, "#
                + #""by_status": { "0": 9, "21007": 2 }, "#
                + #""by_http_status": { "200": 11, "503": 1 } } }"#,
        ] { #expect(json.contains(part), "\(part)\n\(json)") }
    }

    @Test("The text says what was found, how it ties out and where to read more")
    func text() {
        let summary = RunSummary.sample(findings: [.refundRecorded], unverified: 1)
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
                Requests to Apple                         12   10 production, 2 sandbox, \
                of which 1 retries; oldest answer of 2026-11-20T02:00:00Z

                Reports: reports/x
                """)
    }

    /// Requests in 100 s; seconds that callers waited for tokens and for answers; 16 may be in
    /// flight. In the third case some wait for a permit, but a higher limit would have no requests
    /// to send. Of a single request there is no speed.
    @Test("The summary says whether the rate or --in-flight limited the run, or neither")
    func pace() {
        let rows = textTable(
            """
            1000   | 1300 | 300  | 10.0   held back by --rate; 3.0
            123456 | 10   | 200  | 1,234.6   held back by neither --rate nor --in-flight; 2.0
            400000 | 150  | 900  | 4,000.0   held back by neither --rate nor --in-flight; 9.0
            2000   | 0    | 1590 | 20.0   held back by --in-flight: as many were in flight as it \
            allows; 15.9
            0      | 0    | 1    |
            1      | 0    | 1    |
            """)
        for row in rows {
            let numbers = row.compactMap { Int($0) }
            let pace = RunPace(
                requests: numbers[0], forTokens: .seconds(numbers[1]),
                forAnswers: .seconds(numbers[2]), places: 16, elapsed: .seconds(100))
            let line = SummaryText.lines(.sample(), pace: pace, folder: nil).last ?? ""
            #expect(line.hasPrefix("Requests a second   ") != row[3].isEmpty)
            #expect(row[3].isEmpty || line.hasSuffix(" \(row[3]) in flight on average"))
            #expect((pace == nil) == row[3].isEmpty)
        }
    }

    @Test("An incomplete or partial run is named at the beginning; digits are grouped")
    func caveats() {
        let run = Run.sample(scope: .limited(users: 3))
        let lines = SummaryText.lines(.sample(run, status: .incomplete, unverified: 4), folder: nil)
        #expect(
            lines[1...2].joined(separator: "\n") == """
                INCOMPLETE: 4 receipts unchecked.
                This run looked at some users only; it is not the night's account. What they \
                share with others does not show: shared_original_transaction and shared_receipt \
                are not looked for.
                """)
        let numbers = [0, 999, 1_000, 80_000, 1_234_567, -1_234].map(\.grouped)
        #expect(numbers == ["0", "999", "1,000", "80,000", "1,234,567", "-1,234"])
    }
}
