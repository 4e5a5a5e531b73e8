import Testing

@testable import Reconcile

@Suite("The summary of a run")
struct SummaryTests {
    @Test("The JSON has a fixed order, and counts by kind and severity without zeros")
    func json() throws {
        var summary = RunSummary.sample(
            findings: [.refundRecorded, .expiredStillGranted, .refundRecorded], unverified: 1)
        summary.facts.clearedByKind = [.refundedStillGranted: 1]
        let dollar = try #require(Currency("USD"))
        try summary.money.add(Money(minorUnits: 250, in: dollar), to: .refunded)
        summary.breakdown.count(1, in: dollar, of: .refunded)
        var earlier = MoneyTally()
        try earlier.add(Money(minorUnits: 900, in: try #require(Currency("JPY"))), to: .leak)
        summary.facts.earlierNights = [
            EarlierNight(
                run: RunID(text: "20261119T020000Z-000001"), asOf: .day(-1), status: .incomplete,
                findings: 5, money: earlier)
        ]
        summary.facts.eventDays = [EventDay(day: Instant.day(-1).day, refunds: 2, expirations: 0)]
        #expect(
            oneLine(SummaryReport.json(summary, codeVersion: "0.1.0")) == """
                { "run_id": "20261120T020000Z-000abc", "as_of": "2026-11-20T02:00:00Z", \
                "scope": "everything", "status": "complete", "rules_version": 7, \
                "code_version": "0.1.0", "started_at": null, "ended_at": null, \
                "previous_run": null, "users": 0, "controls": { "receipts": { "in_scope": 10, \
                "verified": 9, "rejected": 0, "unusable": 0, "unverified": 1 }, \
                "entitlements": { "in_scope": 0, "consistent": 0, "with_finding": 0, \
                "settling": 0, "unverified": 0, "not_judged": 0 } }, "findings": { "total": 3, \
                "by_severity": { "high": 3 }, "by_file": { "expirations": 1, "refunds": 2, \
                "mismatches": 0, "receipts": 0 }, "by_kind": { "expired_still_granted": 1, \
                "refund_recorded": 2 }, "by_lifecycle": { "new": 3, "persisting": 0, \
                "reopened": 0, "accepted": 0 }, "lifecycle_by_kind": { \
                "expired_still_granted": { "new": 1 }, "refund_recorded": { "new": 2 } }, \
                "severity_by_kind": { "expired_still_granted": { "high": 1 }, \
                "refund_recorded": { "high": 2 } } }, "cleared": 1, \
                "cleared_by_kind": { "refunded_still_granted": 1 }, "money": { "leak": {}, \
                "owed": {}, "refunded": { "USD": "2.50" } }, "money_counts": { "leak": {}, \
                "owed": {}, "refunded": { "USD": 1 } }, "money_by": { "kind": {}, \
                "product": {}, "bundle": {} }, "money_without_amount": { \
                "leak": { "findings": 0, "by_reason": {} }, \
                "owed": { "findings": 0, "by_reason": {} }, \
                "refunded": { "findings": 0, "by_reason": {} } }, "unverified_by_cause": {}, \
                "accepted": [], "change": { "since": "20261119T020000Z-000001", \
                "findings": -2, "money": { "leak": { "JPY": "-900" }, "owed": {}, \
                "refunded": { "USD": "2.50" } } }, "event_days": [ { "day": "2026-11-19", \
                "refunds": 2, "expirations": 0 } ], "earlier_nights": [ { \
                "run_id": "20261119T020000Z-000001", "as_of": "2026-11-19T02:00:00Z", \
                "status": "incomplete", "findings": 5, "money": { "leak": { "JPY": "900" }, \
                "owed": {}, "refunded": {} } } ], \
                "oldest_verified_at": "2026-11-20T02:00:00Z", "requests": { "sent": 12, \
                "production": 10, "sandbox": 2, "retries": 1, "by_status": { "0": 9, \
                "21007": 2 }, "by_http_status": { "200": 11, "503": 1 } } }
                """)
    }

    @Test("The text says what was found, how it ties out and where to read more")
    func text() {
        let summary = RunSummary.sample(findings: [.refundRecorded], unverified: 1)
        let text = SummaryText.lines(summary, folder: "reports/x").joined(separator: "\n")
        #expect(
            text == """
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

    @Test(
        "The summary says whether the rate or --in-flight limited the run, or neither",
        arguments: [
            // 10 requests a second for 100 s, 0.3 s each: 3 of 16 are in flight, the others wait
            // for tokens.
            (1_000, 1_300, 300, "10.0   held back by --rate; 3.0"),
            (
                2_000, 0, 1_590,
                "20.0   held back by --in-flight: as many were in flight as it allows; 15.9"
            ),
            (123_456, 10, 200, "1,234.6   held back by neither --rate nor --in-flight; 2.0"),
            // At full speed some wait for a permit, but a higher limit would have no requests to
            // send.
            (400_000, 150, 900, "4,000.0   held back by neither --rate nor --in-flight; 9.0"),
        ])
    func pace(requests: Int, tokens: Int, answers: Int, text: String) throws {
        let pace = try #require(
            RunPace(
                requests: requests, forTokens: .seconds(tokens), forAnswers: .seconds(answers),
                places: 16, elapsed: .seconds(100)))
        let line = try #require(SummaryText.lines(.sample(), pace: pace, folder: nil).last)
        #expect(line.hasPrefix("Requests a second   "))
        #expect(line.hasSuffix(" \(text) in flight on average"))
    }

    @Test("The summary does not mention speed for a single request or none", arguments: [0, 1])
    func noPace(requests: Int) {
        #expect(
            RunPace(
                requests: requests, forTokens: .zero, forAnswers: .seconds(1), places: 16,
                elapsed: .seconds(1)) == nil)
    }

    @Test("An incomplete or partial run is named at the beginning")
    func caveats() {
        let summary = RunSummary.sample(
            .sample(scope: .limited(users: 3)), status: .incomplete, unverified: 4)
        #expect(
            SummaryText.lines(summary, folder: nil)[1...2] == [
                "INCOMPLETE: 4 receipts unchecked.",
                "This run looked at some users only; it is not the night's account. What they share"
                    + " with others does not show: shared_original_transaction and shared_receipt"
                    + " are not looked for.",
            ])
    }

    @Test(
        "Digits are grouped",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (80_000, "80,000"),
            (1_234_567, "1,234,567"), (-1_234, "-1,234"),
        ])
    func groups(number: Int, text: String) { #expect(number.grouped == text) }
}
