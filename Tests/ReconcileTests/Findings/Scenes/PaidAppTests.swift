import Testing

@testable import Reconcile

/// To add a case, copy a line of a table, and change its label, its receipts, its rows and the
/// complete outcome: a verdict for each row, and the findings that are on none.
@Suite("The premium product of an app that was paid for")
struct PaidAppTests {
    @Test(
        "A paid app's premium product is judged by source, purchase and version, and owed once",
        arguments: [
            Scene(
                "an iOS 6 receipt, which has no version",
                receipts: [.answer(version: nil, isIOS6: true)], rows: [.full(source: .legacyPaid)],
                verdicts: [.notJudged]),
            Scene(
                "a test purchase's receipt",
                receipts: [.answer(version: "1.0", environment: .sandbox)],
                rows: [.full(source: .legacyPaid)], verdicts: [.notJudged]),
            Scene(
                "an unchecked receipt", receipts: [.unchecked], rows: [.full(source: .legacyPaid)],
                verdicts: [.notJudged]),
            Scene(
                "a gift of the premium product", receipts: [.answer(version: "4.0")],
                rows: [.full(source: .gift)], verdicts: [.notJudged]),
            Scene(
                "a receipt that Apple says is another app's",
                receipts: [.answer(saysApp: "other", version: "1.0")],
                rows: [.full(source: .legacyPaid)], verdicts: [.notJudged],
                withoutRow: [.receiptForOtherApp]),
            Scene(
                "a row of another product that is stored as paid for",
                receipts: [.answer(version: "4.0")], rows: [.unlock(source: .legacyPaid)],
                verdicts: [.notJudged], withoutRow: [.freemiumPaidNotGranted]),
            Scene(
                "the product was bought", receipts: [.answer(.full(bought: -9))],
                rows: [.full(source: .legacyPaid)], verdicts: [.consistent]),
            Scene(
                "the product was bought, and the answer has no version",
                receipts: [.answer(.full(bought: -9), version: nil)],
                rows: [.full(source: .legacyPaid)], verdicts: [.consistent]),
            Scene(
                "one of three receipts says that the app was paid for",
                receipts: [.answer(), .answer(version: nil), .answer(version: "4.0")],
                rows: [.full(source: .legacyPaid)], verdicts: [.consistent]),
            Scene(
                "a row of the store's for a paid app", receipts: [.answer(version: "4.10")],
                rows: [.full()], verdicts: [.consistent]),
            Scene(
                "the product was bought, and the version cannot be compared",
                receipts: [.answer(.full(bought: -9), version: "4.1b2")], rows: [.full()],
                verdicts: [.consistent]),
            Scene(
                "the product was bought, and the app was paid for",
                receipts: [.answer(.full(bought: -9), version: "4.0")], rows: [.full()],
                verdicts: [.consistent]),
            Scene(
                "paid for, with a refunded purchase of the product",
                receipts: [.answer(.full(bought: -9, cancelled: -5), version: "4.10")],
                rows: [.full(source: .legacyPaid)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "a row of the store's, paid for, with a refunded purchase of the product",
                receipts: [.answer(.full(bought: -9, cancelled: -5), version: "4.10")],
                rows: [.full()], verdicts: [.consistent], withoutRow: [.refundRecorded]),
            Scene(
                "not paid for, with a refunded purchase of the product",
                receipts: [.answer(.full(bought: -9, cancelled: -5))],
                rows: [.full(source: .legacyPaid)], verdicts: [.found(.freemiumGrantedNotPaid)],
                withoutRow: [.refundRecorded]),
            Scene(
                "a row of the store's, not paid for, with a refunded purchase",
                receipts: [.answer(.full(bought: -9, cancelled: -5), version: "4.11")],
                rows: [.full()], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "a row of the store's, perhaps paid for, with a refunded purchase",
                receipts: [.answer(.full(bought: -9, cancelled: -5), version: "4.1b2")],
                rows: [.full()], verdicts: [.unverified], withoutRow: [.refundRecorded]),
            Scene(
                "a row that is not active beside an unchecked receipt",
                receipts: [.answer(), .unchecked],
                rows: [.full(isActive: false, source: .legacyPaid)], verdicts: [.unverified]),
            Scene(
                "paid for, and a row of the store's that is not active",
                receipts: [.answer(version: "4.0")], rows: [.full(isActive: false)],
                verdicts: [.found(.freemiumPaidNotGranted)]),
            Scene(
                "paid for and bought, and a row of the store's that is not active",
                receipts: [.answer(.full(bought: -9), version: "4.0")],
                rows: [.full(isActive: false)], verdicts: [.found(.ownedNotGranted)]),
            Scene(
                "bought, and a row as paid for that is not active",
                receipts: [.answer(.full(bought: -9))],
                rows: [.full(isActive: false, source: .legacyPaid)], verdicts: [.consistent],
                withoutRow: [.ownedNotGranted]),
            Scene(
                "paid for, and two rows that are not active", receipts: [.answer(version: "4.0")],
                rows: [
                    .full(isActive: false, changed: -9, source: .legacyPaid),
                    .full(isActive: false, changed: -8),
                ], verdicts: [.consistent, .found(.freemiumPaidNotGranted)]),
            Scene(
                "paid for, and one row of two is active", receipts: [.answer(version: "4.0")],
                rows: [.full(isActive: false), .full(source: .legacyPaid)],
                verdicts: [.consistent, .consistent]),
            Scene(
                "bought, and a row that changed after the judgement",
                receipts: [.answer(.full(bought: -9))],
                rows: [.full(isActive: false, changed: 0.1)], verdicts: [.settling]),
            Scene(
                "bought, and a row as paid for that changed after the judgement",
                receipts: [.answer(.full(bought: -9))],
                rows: [.full(isActive: false, changed: 0.1, source: .legacyPaid)],
                verdicts: [.settling]),
            Scene(
                "no version in the first receipt, and one that is too late in the second",
                receipts: [.answer(version: nil), .answer(version: "5.0")],
                rows: [.full(source: .legacyPaid)], verdicts: [.found(.freemiumUndecidable)]),
            Scene(
                "a version that is too late in the first receipt, and none in the second",
                receipts: [.answer(version: "5.0"), .answer(version: nil)],
                rows: [.full(source: .legacyPaid)], verdicts: [.found(.freemiumUndecidable)]),
        ])
    func isPremium(scene: Scene) { scene.check() }
}
