import Testing

@testable import Reconcile

/// To add a case, copy a line of a table, and change its label, its receipts, its rows and the
/// complete outcome: a verdict for each row, and the findings that are on none.
@Suite("A stored row that its receipts may not show yet, or no longer")
struct DoubtfulRowTests {
    @Test(
        "A newer row of a chain that no answer shows is unverified without proof",
        arguments: [
            Scene(
                "no purchase", receipts: [.answer()],
                rows: [.pro(until: 20, original: "99", changed: -4)], verdicts: [.unverified]),
            Scene(
                "a running period of another chain", receipts: [.answer(.pro(bought: -20))],
                rows: [.pro(until: 20, original: "99", changed: -4)], verdicts: [.unverified]),
            Scene(
                "a running test purchase of another chain",
                receipts: [
                    .answer(), .answer(.pro(bought: -20, original: "98"), environment: .sandbox),
                ], rows: [.pro(until: 20, original: "99", changed: -4)], verdicts: [.unverified]),
            Scene(
                "an ended period of another chain", receipts: [.answer(.pro(bought: -80))],
                rows: [.pro(until: 20, original: "99", changed: -4)], verdicts: [.unverified],
                withoutRow: [.expired]),
            Scene(
                "an ended period of another chain and product",
                receipts: [.answer(.pro(bought: -80))],
                rows: [.max(until: 20, original: "99", changed: -4)], verdicts: [.unverified],
                withoutRow: [.expired]),
            Scene(
                "an ended period of a product outside the catalogue",
                receipts: [.answer(.unlistedMonthly(bought: -80))],
                rows: [.unlistedMonthly(until: 20, original: "99", changed: -4)],
                verdicts: [.unverified], withoutRow: [.expired]),
            Scene(
                "a refunded period of another chain",
                receipts: [.answer(.pro(bought: -20, cancelled: -8))],
                rows: [.pro(until: 20, original: "99", changed: -4)], verdicts: [.unverified],
                withoutRow: [.refundRecorded]),
            Scene(
                "a row changed before the receipt was stored",
                receipts: [.answer(.pro(bought: -80))],
                rows: [.pro(until: 20, original: "99", changed: -6)],
                verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "a row changed when the receipt was stored", receipts: [.answer(.pro(bought: -80))],
                rows: [.pro(until: 20, original: "99", changed: -5)],
                verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "a row that names no chain", receipts: [.answer(.pro(bought: -80))],
                rows: [.pro(until: 20, changed: -4)], verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "a row that names the ended chain", receipts: [.answer(.pro(bought: -80))],
                rows: [.pro(until: 20, original: "1", changed: -4)],
                verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "a row changed before the newest of two receipts was stored",
                receipts: [.answer(stored: -60), .answer(.pro(bought: -80), stored: -3)],
                rows: [.pro(until: 20, original: "99", changed: -4)],
                verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "a test purchase of the row's chain",
                receipts: [
                    .answer(), .answer(.pro(bought: -20, original: "99"), environment: .sandbox),
                ], rows: [.pro(until: 20, original: "99", changed: -4)],
                verdicts: [.found(.sandboxGrantsProduction)]),
            Scene(
                "a purchase of the row's chain in another app",
                receipts: [
                    .answer(), .answer(.pro(bought: -20, original: "99"), saysApp: "other"),
                ], rows: [.pro(until: 20, original: "99", changed: -4)],
                verdicts: [.found(.wrongAppReceipt)], withoutRow: [.receiptForOtherApp]),
            Scene(
                "no purchase, and a row changed before the receipt was stored",
                receipts: [.answer()], rows: [.pro(until: 20, original: "99", changed: -6)],
                verdicts: [.found(.grantWithoutTransaction)]),
            Scene(
                "no purchase, and a newer row that names no chain", receipts: [.answer()],
                rows: [.pro(changed: -2)], verdicts: [.found(.grantWithoutTransaction)]),
            Scene(
                "no purchase, and an older row of a product bought once", receipts: [.answer()],
                rows: [.unlock()], verdicts: [.found(.grantWithoutTransaction)]),
            Scene(
                "a running period of another chain with a later end",
                receipts: [.answer(.pro(bought: -20))],
                rows: [.pro(until: 3, original: "99", changed: -4)],
                verdicts: [.found(.expiryTooEarly)]),
            Scene(
                "a running period of another chain with the row's end",
                receipts: [.answer(.pro(bought: -20))],
                rows: [.pro(until: 10, original: "99", changed: -4)], verdicts: [.consistent]),
            Scene(
                "a running period of a higher product of another chain",
                receipts: [.answer(.max(bought: -20))],
                rows: [.pro(until: 10, original: "99", changed: -4)],
                verdicts: [.found(.upgradeNotApplied)]),
        ])
    func isNewer(scene: Scene) { scene.check() }

    @Test(
        "A receipt of a deleted account hides leaks of the rows that it may have proved",
        arguments: [
            Scene(
                "a row of a subscription", receipts: [.accountGone], rows: [.pro(until: 10)],
                verdicts: [.unverified], withoutRow: [.receiptAccountGone]),
            Scene(
                "a row of a product bought once", receipts: [.accountGone], rows: [.unlock()],
                verdicts: [.unverified], withoutRow: [.receiptAccountGone]),
            Scene(
                "a row of a pass", receipts: [.accountGone], rows: [.pass(until: 10)],
                verdicts: [.unverified], withoutRow: [.receiptAccountGone]),
            Scene(
                "a row that is not active", receipts: [.accountGone],
                rows: [.pro(until: 10, isActive: false)], verdicts: [.unverified],
                withoutRow: [.receiptAccountGone]),
            Scene(
                "an ended period in another receipt",
                receipts: [.answer(.pro(bought: -80)), .accountGone], rows: [.pro(until: 10)],
                verdicts: [.unverified], withoutRow: [.expired, .receiptAccountGone]),
            Scene(
                "a running period in another receipt",
                receipts: [.answer(.pro(bought: -20)), .accountGone], rows: [.pro(until: 10)],
                verdicts: [.consistent], withoutRow: [.receiptAccountGone]),
            Scene(
                "a running period in another receipt, and a row that is not active",
                receipts: [.answer(.pro(bought: -20)), .accountGone],
                rows: [.pro(until: 10, isActive: false)], verdicts: [.found(.activeNotGranted)],
                withoutRow: [.receiptAccountGone]),
        ])
    func isOfGoneAccount(scene: Scene) { scene.check() }
}
