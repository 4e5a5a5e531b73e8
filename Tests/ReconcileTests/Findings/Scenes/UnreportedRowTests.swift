import Testing

@testable import Reconcile

/// To add a case, copy a line of the table, and change its label, receipts, row, bucket and cause.
@Suite("A row without a finding that is not consistent")
struct UnreportedRowTests {
    private static let cases = [
        Unreported(
            "an expiry half a day ago", receipts: [.answer(.pro(bought: -30.5))],
            row: .pro(until: 20), is: .settling, because: .recent, wouldBe: .expiredStillGranted),
        Unreported(
            "a row that changed after the judgement", receipts: [.answer(.pro(bought: -40))],
            row: .pro(until: 20, changed: 0.1), is: .settling, because: .changedAfterAsOf),
        Unreported(
            "an expiry beside an unchecked receipt",
            receipts: [.answer(.pro(bought: -40)), .unchecked], row: .pro(until: 20),
            is: .unverified, because: .evidenceMissing, wouldBe: .expiredStillGranted),
        Unreported(
            "a row of a product bought once, newer than the receipt", receipts: [.answer()],
            row: .unlock(changed: -2), is: .unverified, because: .newerThanReceipts,
            wouldBe: .grantWithoutTransaction),
        Unreported(
            "a newer row of a subscription that no receipt shows", receipts: [.answer()],
            row: .pro(original: "9", changed: -2), is: .unverified, because: .subscriptionUnknown,
            wouldBe: .grantWithoutTransaction),
        Unreported(
            "a receipt without the version", receipts: [.answer(version: "")], row: .full(),
            is: .unverified, because: .paidVersionUndecidable, wouldBe: .grantWithoutTransaction),
        Unreported(
            "a grace period, judged offline",
            receipts: [.answer(.pro(bought: -32), .renewal(.grace(until: 5)))],
            row: .pro(isActive: false), is: .unverified, because: .offline,
            wouldBe: .graceNotGranted),
        Unreported("a gift", row: .pro(source: .gift), is: .notJudged, because: .source),
        Unreported(
            "a product that the catalogue does not have", row: .unlisted(), is: .notJudged,
            because: .productUnknown),
        Unreported("a consumable", row: .coins(), is: .notJudged, because: .consumable),
        Unreported(
            "a pass of unknown duration", row: .passWithoutDuration(), is: .notJudged,
            because: .accessDurationUnknown),
        Unreported(
            "a row as paid for, without a receipt", row: .full(source: .legacyPaid), is: .notJudged,
            because: .noReceiptOfApp),
    ]

    @Test(
        "A row not reported is listed with its bucket, cause and the finding that it would be",
        arguments: cases)
    func isListed(row: Unreported) {
        let judge = row.cause == .offline ? Judge.offline : .acme
        let judgement = judge.judgement(row.receipts, rows: [row.row])
        #expect(judgement.notReported.count == 1)
        let listed = judgement.notReported.first
        #expect(listed?.entitlement == "e1")
        #expect(listed?.bucket == row.bucket)
        #expect(listed?.cause == row.cause)
        #expect(listed?.kind?.rawValue == row.kind?.rawValue)
        #expect(judgement.verdict(on: "e1").bucket == row.verdict.bucket)
        #expect(judgement.entitlements[row.verdict.bucket] == 1)
        #expect(judgement.entitlements.inScope == 1)
        #expect(judgement.findings.compactMap(\.entitlement) == [])
    }

    @Test("Each cause of a row not reported has a case here, except rows that cannot be read")
    func complete() {
        // All but the first are in suites of their own.
        let elsewhere: [NotReported.Cause] = [
            .invalidRow, .purchaseVanished, .datesUntrue, .unclaimed,
        ]
        let causes = Self.cases.map(\.cause) + elsewhere
        #expect(
            causes.map(\.rawValue).sorted() == NotReported.Cause.allCases.map(\.rawValue).sorted())
    }
}

struct Unreported: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let receipts: [ShownReceipt]
    let row: Row
    let bucket: NotReported.Bucket
    let cause: NotReported.Cause
    /// That of the finding that it would be.
    let kind: FindingKind?

    init(
        _ label: String, receipts: [ShownReceipt] = [], row: Row, is bucket: NotReported.Bucket,
        because cause: NotReported.Cause, wouldBe kind: FindingKind? = nil
    ) {
        testDescription = label
        self.receipts = receipts
        self.row = row
        self.bucket = bucket
        self.cause = cause
        self.kind = kind
    }

    fileprivate var verdict: Verdict {
        switch bucket {
        case .settling: .settling
        case .unverified: .unverified
        case .notJudged: .notJudged
        }
    }
}
