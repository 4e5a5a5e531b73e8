import Testing

@testable import Reconcile

/// A finding of the last run, and a new run that does not find it again.
struct OpenCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The evidence of the finding.
    var before: [ReceiptEvidence] = []
    var rowsBefore: [StoredEntitlement] = []
    let kind: FindingKind
    /// The receipts of the new run.
    var receipts: [ReceiptEvidence] = []
    var rows: [StoredEntitlement] = []
    var unreadable: Set<EntitlementID> = []
    var invalidReceipts = 0
    let isCleared: Bool

    /// An `expired_still_granted` of the last run.
    static func leak(
        _ description: String, receipts: [ReceiptEvidence] = [], rows: [StoredEntitlement] = [],
        unreadable: Set<EntitlementID> = [], isCleared: Bool
    ) -> OpenCase {
        OpenCase(
            testDescription: description, before: OpenFindingsTests.ended,
            rowsBefore: OpenFindingsTests.granted, kind: .expiredStillGranted, receipts: receipts,
            rows: rows, unreadable: unreadable, isCleared: isCleared)
    }

    /// An `active_not_granted` of the last run.
    static func debt(
        _ description: String, receipts: [ReceiptEvidence] = [], rows: [StoredEntitlement] = [],
        isCleared: Bool
    ) -> OpenCase {
        OpenCase(
            testDescription: description, before: OpenFindingsTests.running,
            rowsBefore: OpenFindingsTests.notGranted, kind: .activeNotGranted, receipts: receipts,
            rows: rows, isCleared: isCleared)
    }

    /// Whether `judge`, who does not find it again, clears the finding.
    func clears(by judge: Judge) throws -> Bool {
        let findings = Judge.acme.judgement(of: before, rowsBefore).findings
        let finding = try #require(findings.first { $0.kind == kind })
        let tonight = UserEvidence(
            user: "u", receipts: receipts, invalidReceipts: invalidReceipts, entitlements: rows,
            invalidEntitlements: unreadable.count, unreadableEntitlements: unreadable)
        let judgement = judge.judgement(of: tonight, history: UserHistory([.of(finding)]))
        let raised = judgement.findings.map(\.identity.id)
        #expect(!raised.contains(finding.identity.id))
        return !judgement.unjudged.contains(finding.identity.id)
    }
}

@Suite("An open finding that is not found again")
struct OpenFindingsTests {
    static let ended = answers(.monthly(bought: -40))
    static let running = answers(.monthly(bought: -10))
    static let silent = [ReceiptEvidence.stored(.unverified(.timeout))]
    static let granted = [StoredEntitlement.row(expires: 20)]
    static let notGranted = [StoredEntitlement.row(isActive: false)]
    static let paidFor = [ReceiptEvidence.stored(.verified(.showing(version: "4.0")))]

    static func premium(isActive: Bool) -> [StoredEntitlement] {
        [.row("e1", "full", isActive: isActive, source: .legacyPaid)]
    }

    static let rows: [OpenCase] = [
        .leak(
            "a leak is cleared when the row grants no more", receipts: ended,
            rows: notGranted, isCleared: true),
        .leak(
            "a leak is cleared when the row grants no more, whatever Apple says", receipts: silent,
            rows: notGranted, isCleared: true),
        .leak(
            "a leak is cleared when the row is gone", receipts: silent,
            isCleared: true),
        .leak(
            "a leak is cleared when the customer paid again", receipts: running,
            rows: granted, isCleared: true),
        .leak(
            "a leak stays open when Apple is silent", receipts: silent,
            rows: granted, isCleared: false),
        .leak(
            "a leak stays open when another receipt is not read", receipts: ended + [unchecked],
            rows: granted, isCleared: false),
        .leak(
            "a leak stays open while the row is in flux", receipts: ended,
            rows: [.row(isActive: false, updated: 0.1)], isCleared: false),
        .leak(
            "a leak stays open while the row cannot be read", receipts: ended,
            unreadable: ["e1"], isCleared: false),
        OpenCase(
            testDescription: "a leak stays open while a younger cause of it settles",
            before: answers(.monthly(bought: -10, cancelled: -5)), rowsBefore: granted,
            kind: .refundedStillGranted,
            receipts: answers(.monthly(bought: -10, cancelled: -0.5)), rows: granted,
            isCleared: false),
        .leak(
            "a leak is cleared by another line that settles",
            receipts: answers(.monthly("2", bought: -0.5)), rows: [.row(expires: 60)],
            isCleared: true),
        OpenCase(
            testDescription: "a paid app's owed right stays open without an answer",
            before: paidFor, rowsBefore: premium(isActive: false), kind: .freemiumPaidNotGranted,
            receipts: silent, rows: premium(isActive: false), isCleared: false),
        OpenCase(
            testDescription: "a paid app's owed right is cleared when it is granted",
            before: paidFor, rowsBefore: premium(isActive: false), kind: .freemiumPaidNotGranted,
            receipts: paidFor, rows: premium(isActive: true), isCleared: true),
        .leak(
            "a leak is cleared by a source that is not judged", receipts: ended,
            rows: [.row(expires: 20, source: .other("promo"))], isCleared: true),
        OpenCase(
            testDescription:
                "a leak is cleared by a source that is not judged, whatever Apple says",
            before: ended, rowsBefore: granted, kind: .expiredStillGranted, receipts: silent,
            rows: [.row(expires: 20, source: .other("promo"))], isCleared: true),
        OpenCase(
            testDescription:
                "a grant without a receipt is cleared by a receipt, even an unverified one",
            rowsBefore: granted, kind: .grantWithoutReceipt, receipts: silent, rows: granted,
            isCleared: true),
        .debt(
            "a debt on a row is cleared when it grants", receipts: running,
            rows: granted, isCleared: true),
        .debt(
            "a debt on a row stays open when Apple is silent", receipts: silent,
            rows: notGranted, isCleared: false),
        .debt(
            "a debt on a row that is gone stays open when Apple is silent", receipts: silent,
            isCleared: false),
        OpenCase(
            testDescription: "a debt without a row is cleared when there is one",
            before: running, kind: .activeNotGranted, receipts: running, rows: granted,
            isCleared: true),
        OpenCase(
            testDescription: "a debt without a row is cleared though another receipt is unread",
            before: running, kind: .activeNotGranted, receipts: running + [unchecked],
            rows: granted, isCleared: true),
        OpenCase(
            testDescription: "a debt without a row stays open when Apple is silent",
            before: running, kind: .activeNotGranted, receipts: silent, isCleared: false),
        OpenCase(
            testDescription: "a debt without a row stays open while a renewal settles",
            before: running, kind: .activeNotGranted,
            receipts: answers(.monthly(bought: -30.5), .monthly("2", bought: -0.5)),
            isCleared: false),
        OpenCase(
            testDescription: "a debt without a row stays open while a row of the right is in flux",
            before: running, kind: .activeNotGranted, receipts: running,
            rows: [.row("e9", "max.monthly", expires: 20, updated: 0.1)], isCleared: false),
        OpenCase(
            testDescription: "an early expiry stays open when its answer is not read",
            before: running, rowsBefore: [.row(expires: 5)], kind: .expiryTooEarly,
            receipts: [
                .stored("r1", .unverified(.timeout)),
                .stored("r2", .verified(.showing(.monthly("2", of: "2", bought: -25)))),
            ], rows: [.row(expires: 5)], isCleared: false),
        OpenCase(
            testDescription: "an early expiry is cleared when its answer is read",
            before: running, rowsBefore: [.row(expires: 5)], kind: .expiryTooEarly,
            receipts: running + [unchecked], rows: granted, isCleared: true),
        OpenCase(
            testDescription: "a bad receipt is cleared when it was replaced",
            before: [.stored(.unusable(.notAReceipt))], kind: .receiptMalformed,
            receipts: running, isCleared: true),
        OpenCase(
            testDescription: "a bad receipt is cleared when it is gone",
            before: [.stored(.unusable(.notAReceipt))], kind: .receiptMalformed, isCleared: true),
        OpenCase(
            testDescription: "a bad receipt stays open when it may be a row that cannot be read",
            before: [.stored(.unusable(.notAReceipt))], kind: .receiptMalformed,
            invalidReceipts: 1, isCleared: false),
        OpenCase(
            testDescription: "a rejected receipt stays open when Apple is silent",
            before: [.stored(.rejected(.notAuthentic))], kind: .receiptNotAuthentic,
            receipts: silent, isCleared: false),
    ]

    @Test(
        "An open finding is cleared only where the run's evidence shows that it is gone",
        arguments: rows + notJudged + doubts)
    func clears(open: OpenCase) throws {
        #expect(try open.clears(by: .acme) == open.isCleared)
    }
}
