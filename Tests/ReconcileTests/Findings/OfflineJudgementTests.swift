import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a scene and change its label, receipts, rows and the complete outcome.
@Suite("A user judged offline (decision 70)")
struct OfflineJudgementTests {
    /// The kinds of the first table (about stored rows: `KindCase.onRows`) that are found offline.
    /// All others leave the row `unverified`.
    private static let found: Set<FindingKind> = [
        .grantWithoutReceipt, .activeNotGranted, .ownedNotGranted, .freemiumPaidNotGranted,
        .upgradeNotApplied, .expiryTooEarly,
    ]

    @Test(
        "A row has a finding of the first table only where a receipt alone proves it",
        arguments: KindCase.onRows)
    func firstTable(line: KindCase) {
        let old = line.world(-1).judgement(by: .offline)
        let recent = line.world(-0.5).judgement(by: .offline)
        #expect(old.entitlements.isBalanced)
        #expect(recent.entitlements.isBalanced)
        if Self.found.contains(line.kind) {
            #expect(old.verdict(on: "e1") == .found(line.kind))
        } else {
            #expect(old.verdict(on: "e1") == .unverified)
            #expect(recent.verdict(on: "e1") == .unverified)
        }
    }

    @Test("The second table's lines are those that a signed receipt shows")
    func secondTable() throws {
        let receipts: [ShownReceipt] = [
            .answer(
                .pro(bought: -10, cancelled: -5, reason: "1"),
                .pro(bought: -320, until: -20, id: "5", original: "5")),
            .answer(.coins(bought: 4)), .answer(setAside: [.withoutProduct]),
            .answer(saysApp: "other"), .forged, .accountGone, .jws, .xcode, .malformed,
        ]
        let online = Judge.acme.judgement(receipts)
        let offline = Judge.offline.judgement(receipts)
        #expect(online.kinds.count { $0 == .implausibleDates } == 2)
        #expect(online.kinds.contains(.receiptAccountGone))
        #expect(online.kinds.contains(.expired))
        // Only Apple's answers have a reason.
        #expect(try offline.only(.refundRecorded).reason == nil)
        let expected: [FindingKind] = [
            .implausibleDates, .parseAnomaly, .receiptForOtherApp, .receiptFromXcode,
            .receiptIsJWS, .receiptMalformed, .receiptNotAuthentic, .refundRecorded,
        ]
        #expect(offline.kinds.map(\.rawValue) == expected.map(\.rawValue))
    }

    /// A receipt is outdated if it is over a day older than the row's change, or if an earlier run
    /// saw a refund. The original version never changes.
    @Test(
        "A confirmed row is consistent, and a receipt makes a right owed unless it is outdated",
        arguments: ofRows + afterRefund)
    func rows(scene: Scene) {
        let judgement = scene.check(by: .offline)
        #expect(judgement.remembered.map(\.kind.rawValue) == [])
    }

    private static let ofRows = [
        Scene(
            "a row that is not active, changed a day after the receipt was made",
            receipts: [.answer(.pro(bought: -10))], rows: [.pro(isActive: false, changed: -2)],
            verdicts: [.found(.activeNotGranted)]),
        Scene(
            "a row that ends early, changed a day after the receipt was made",
            receipts: [.answer(.pro(bought: -10))], rows: [.pro(until: 5, changed: -2)],
            verdicts: [.found(.expiryTooEarly)]),
        Scene(
            "a row that is not active, changed over a day after the receipt was made",
            receipts: [.answer(.pro(bought: -10))], rows: [.pro(isActive: false, changed: -1.999)],
            verdicts: [.unverified]),
        Scene(
            "a row that ends early, changed over a day after the receipt was made",
            receipts: [.answer(.pro(bought: -10))], rows: [.pro(until: 5, changed: -1.999)],
            verdicts: [.unverified]),
        Scene(
            "a paid app's product, changed long after the receipt was made",
            receipts: [.answer(version: "4.0")],
            rows: [.full(isActive: false, changed: -1, source: .legacyPaid)],
            verdicts: [.found(.freemiumPaidNotGranted)]),
        Scene(
            "a running subscription and its row", receipts: [.answer(.pro(bought: -10))],
            rows: [.pro(until: 20)], verdicts: [.consistent]),
        Scene(
            "an ended subscription, and a row that is not active",
            receipts: [.answer(.pro(bought: -40))], rows: [.pro(isActive: false)],
            verdicts: [.unverified]),
        Scene(
            "a row that is not active, without a receipt", rows: [.pro(isActive: false)],
            verdicts: [.consistent]),
        Scene(
            "a running subscription without a row", receipts: [.answer(.pro(bought: -10))],
            withoutRow: [.activeNotGranted]),
    ]

    private static let afterRefund = [
        Scene(
            "a refund and its reversal seen earlier, and an active row",
            receipts: [.answer(.pro(bought: -10))], rows: [.pro(until: 20)],
            history: [
                .refund(cancelled: -8), .refund(cancelled: -8, kind: .refundReversed),
            ], verdicts: [.consistent]),
        Scene(
            "a refund seen earlier, and a row that is not active",
            receipts: [.answer(.pro(bought: -10))], rows: [.pro(isActive: false)],
            history: [.refund(cancelled: -8)], verdicts: [.unverified]),
        Scene(
            "a refund seen earlier, and an active row", receipts: [.answer(.pro(bought: -10))],
            rows: [.pro(until: 20)], history: [.refund(cancelled: -8)], verdicts: [.unverified]),
        Scene(
            "a refund seen earlier, without a row", receipts: [.answer(.pro(bought: -10))],
            history: [.refund(cancelled: -8)]),
    ]

    @Test(
        "Every explanation says that the run was offline, and names no answer",
        arguments: [
            Scene(
                "a paid app's product that is not active", receipts: [.answer(version: "4.0")],
                rows: [.full(isActive: false, source: .legacyPaid)]),
            Scene(
                "a line that is no transaction, and dates that cannot be true",
                receipts: [
                    .answer(.unlock(bought: -10, until: -11), setAside: [.withoutProduct])
                ], rows: [.pro()]),
            Scene("a receipt with a wrong signature", receipts: [.forged], rows: [.pro()]),
            Scene("another app's receipt", receipts: [.answer(saysApp: "other")], rows: [.pro()]),
        ])
    func sentences(scene: Scene) {
        let sentences = scene.judgement(by: .offline).findings.map(\.explanation)
        #expect(!sentences.isEmpty)
        for sentence in sentences {
            #expect(sentence.contains("judged offline"))
            #expect(!sentence.contains("answer"))
            #expect(!sentence.contains("21002"))
        }
    }
}
