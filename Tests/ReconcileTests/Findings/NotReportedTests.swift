import Testing

@testable import Reconcile

/// A stored row that no report lists as a finding, and the cause.
struct NotReportedCase: Sendable, CustomTestStringConvertible {
    let cause: NotReported.Cause
    let bucket: NotReported.Bucket
    var kind: FindingKind?
    var receipts: [ReceiptEvidence] = []
    let row: StoredEntitlement

    var testDescription: String { cause.rawValue }
}

@Suite("An entitlement that is not reported")
struct NotReportedTests {
    private static let ended = answers(.monthly(bought: -40))

    static let cases: [NotReportedCase] = [
        .init(
            cause: .recent, bucket: .settling, kind: .expiredStillGranted,
            receipts: answers(.monthly(bought: -30.5)), row: .row(expires: 20)),
        .init(
            cause: .changedAfterAsOf, bucket: .settling, receipts: ended,
            row: .row(expires: 20, updated: 0.1)),
        .init(
            cause: .evidenceMissing, bucket: .unverified, kind: .expiredStillGranted,
            receipts: ended + [unchecked], row: .row(expires: 20)),
        .init(
            cause: .newerThanReceipts, bucket: .unverified, kind: .grantWithoutTransaction,
            receipts: answers(), row: .row("e1", "unlock", updated: -2)),
        .init(
            cause: .subscriptionUnknown, bucket: .unverified, kind: .grantWithoutTransaction,
            receipts: answers(), row: .row(chain: "9", expires: 20, updated: -2)),
        .init(
            cause: .paidVersionUndecidable, bucket: .unverified, kind: .grantWithoutTransaction,
            receipts: got(nil), row: .row("e1", "full")),
        .init(
            cause: .offline, bucket: .unverified, kind: .graceNotGranted,
            receipts: answers(.monthly(bought: -32), renewals: inGrace),
            row: .row(isActive: false)),
        .init(cause: .source, bucket: .notJudged, row: .row(source: .other("promo"))),
        .init(cause: .productUnknown, bucket: .notJudged, row: .row("e1", "nobody.sells")),
        .init(cause: .consumable, bucket: .notJudged, row: .row("e1", "coins")),
        .init(cause: .accessDurationUnknown, bucket: .notJudged, row: .row("e1", "pass.unknown")),
        .init(
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
        let settings = JudgingSettings(asOf: .asOf, isOffline: example.cause == .offline)
        let judgement = Judge(catalog: .acme, settings: settings)
            .judgement(of: example.receipts, [example.row])
        let listed = NotReported(
            entitlement: "e1", bucket: example.bucket, kind: example.kind, cause: example.cause)
        #expect(judgement.notReported == [listed])
        #expect(judgement.bucket == example.bucket.rawValue)
        #expect(!judgement.findings.contains { $0.entitlement != nil })
    }
}
