import Testing

@testable import Reconcile

/// A stored row that no report lists as a finding, and the cause.
struct NotReportedCase: Sendable, CustomTestStringConvertible {
    let cause: NotReported.Cause
    let bucket: NotReported.Bucket
    var kind: FindingKind?
    var receipts: [ReceiptEvidence] = []
    let row: StoredEntitlement
    var isOffline = false

    var testDescription: String { cause.rawValue }
}

@Suite("An entitlement that is not reported")
struct NotReportedTests {
    private static let ended = answers(.monthly(bought: -40))

    static let cases: [NotReportedCase] = [
        NotReportedCase(
            cause: .recent, bucket: .settling, kind: .expiredStillGranted,
            receipts: answers(.monthly(bought: -30.5)), row: .row(expires: 20)),
        NotReportedCase(
            cause: .changedAfterAsOf, bucket: .settling, receipts: ended,
            row: .row(expires: 20, updated: 0.1)),
        NotReportedCase(
            cause: .evidenceMissing, bucket: .unverified, kind: .expiredStillGranted,
            receipts: ended + [unchecked], row: .row(expires: 20)),
        NotReportedCase(
            cause: .newerThanReceipts, bucket: .unverified, kind: .grantWithoutTransaction,
            receipts: answers(), row: .row("e1", "unlock", updated: -2)),
        NotReportedCase(
            cause: .subscriptionUnknown, bucket: .unverified, kind: .grantWithoutTransaction,
            receipts: answers(), row: .row(chain: "9", expires: 20, updated: -2)),
        NotReportedCase(
            cause: .paidVersionUndecidable, bucket: .unverified, kind: .grantWithoutTransaction,
            receipts: [.stored(.verified(.showing(version: nil)))], row: .row("e1", "full")),
        NotReportedCase(
            cause: .offline, bucket: .unverified, kind: .graceNotGranted,
            receipts: answers(.monthly(bought: -32), renewals: inGrace),
            row: .row(isActive: false), isOffline: true),
        NotReportedCase(
            cause: .source, bucket: .notJudged, row: .row(source: .other("promo"))),
        NotReportedCase(
            cause: .productUnknown, bucket: .notJudged, row: .row("e1", "nobody.sells")),
        NotReportedCase(cause: .consumable, bucket: .notJudged, row: .row("e1", "coins")),
        NotReportedCase(
            cause: .accessDurationUnknown, bucket: .notJudged, row: .row("e1", "pass.unknown")),
        NotReportedCase(
            cause: .noReceiptOfApp, bucket: .notJudged,
            row: .row("e1", "full", source: .legacyPaid)),
    ]

    @Test("Each cause has a case here, except rows that cannot be read")
    func complete() {
        let causes = Self.cases.map(\.cause)
        #expect(Set(causes).count == causes.count)
        #expect(Set(causes + [.invalidRow]) == Set(NotReported.Cause.allCases))
    }

    @Test(
        "The row is listed with its bucket, its cause and the finding that it would have been",
        arguments: cases)
    func named(example: NotReportedCase) {
        let judge = Judge(
            catalog: .acme, settings: JudgingSettings(asOf: .asOf, isOffline: example.isOffline))
        let judgement = judge.judgement(of: example.receipts, [example.row])
        #expect(
            judgement.notReported == [
                NotReported(
                    entitlement: "e1", bucket: example.bucket, kind: example.kind,
                    cause: example.cause)
            ])
        #expect(judgement.bucket == example.bucket.rawValue)
        #expect(!judgement.findings.contains { $0.entitlement != nil })
    }

    @Test("Each bucket counts as many rows as are listed, for any user")
    func counted() {
        for seed in 0..<300 as Range<UInt64> {
            let judgement = RandomAccount(seed: seed).judgement
            func count(_ bucket: NotReported.Bucket) -> Int {
                judgement.notReported.count { $0.bucket == bucket }
            }
            let tally = judgement.entitlements
            #expect(count(.settling) == tally.settling, "seed \(seed)")
            #expect(count(.unverified) == tally.unverified, "seed \(seed)")
            #expect(count(.notJudged) == tally.notJudged, "seed \(seed)")
        }
    }
}
