import Testing

@testable import Reconcile

/// To add a case, copy a line of a table, and change its label, its receipts, its rows and the
/// complete outcome: a verdict for each row, and the findings that are on none.
@Suite("A purchase that Apple shows under two ids")
struct RepeatedPurchaseTests {
    @Test(
        "Of a period under two ids with one line item the new one of the newest answer counts",
        arguments: [
            Scene(
                "two ids, neither cancelled, the older only in in_app",
                receipts: [.answer(.year(id: "10", isOnlyInApp: true), .year(id: "20"))],
                rows: [.yearly(until: 265)], verdicts: [.consistent]),
            Scene(
                "the older id is cancelled, only in in_app",
                receipts: [
                    .answer(.year(id: "10", cancelled: -5, isOnlyInApp: true), .year(id: "20"))
                ], rows: [.yearly(until: 265)], verdicts: [.consistent]),
            Scene(
                "the smaller id, 9 before 10 as numbers, is cancelled",
                receipts: [.answer(.year(id: "9", cancelled: -5), .year(id: "10"))],
                rows: [.yearly(until: 265)], verdicts: [.consistent]),
            Scene(
                "the cancelled id is in the older answer and has the smaller number",
                receipts: [
                    .answer(.year(id: "10", cancelled: -50), made: -40), .answer(.year(id: "20")),
                ], rows: [.yearly(until: 265)], verdicts: [.consistent]),
            Scene(
                "the cancelled id is in the older answer and has the greater number",
                receipts: [
                    .answer(.year(id: "20", cancelled: -50), made: -40), .answer(.year(id: "10")),
                ], rows: [.yearly(until: 265)], verdicts: [.consistent]),
            Scene(
                "the cancelled id is in the older answer in in_app",
                receipts: [
                    .answer(.year(id: "5"), made: -9),
                    .answer(.year(id: "20", cancelled: -5, isOnlyInApp: true)),
                ], rows: [.yearly(until: 265)], verdicts: [.consistent]),
            Scene(
                "an upgrade cancelled the new id, and the row has the new product",
                receipts: [
                    .answer(
                        .year(id: "10", isOnlyInApp: true),
                        .year(id: "20", cancelled: -5, isUpgraded: true),
                        .max(bought: -5, until: 25, id: "30", lineItem: "78"))
                ], rows: [.max(until: 25)], verdicts: [.consistent]),
            Scene(
                "an upgrade cancelled both ids, and the row has the new product",
                receipts: [
                    .answer(
                        .year(id: "10", cancelled: -5, isOnlyInApp: true),
                        .year(id: "20", cancelled: -5, isUpgraded: true),
                        .max(bought: -5, until: 25, id: "30", lineItem: "78"))
                ], rows: [.max(until: 25)], verdicts: [.consistent]),
            Scene(
                "an upgrade cancelled the new id, and the row has the old product",
                receipts: [
                    .answer(
                        .year(id: "10", isOnlyInApp: true),
                        .year(id: "20", cancelled: -5, isUpgraded: true),
                        .max(bought: -5, until: 25, id: "30", lineItem: "78"))
                ], rows: [.yearly(until: 265)], verdicts: [.found(.upgradeNotApplied)]),
            Scene(
                "an upgrade cancelled both ids, and the row has the old product",
                receipts: [
                    .answer(
                        .year(id: "10", cancelled: -5, isOnlyInApp: true),
                        .year(id: "20", cancelled: -5, isUpgraded: true),
                        .max(bought: -5, until: 25, id: "30", lineItem: "78"))
                ], rows: [.yearly(until: 265)], verdicts: [.found(.upgradeNotApplied)]),
            Scene(
                "the new id is cancelled, and the row is not active",
                receipts: [
                    .answer(.year(id: "10", isOnlyInApp: true), .year(id: "20", cancelled: -5))
                ], rows: [.yearly(until: 265, isActive: false)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "the new id with the smaller number is cancelled, and the row is not active",
                receipts: [
                    .answer(.year(id: "20", isOnlyInApp: true), .year(id: "10", cancelled: -5))
                ], rows: [.yearly(until: 265, isActive: false)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "both ids are cancelled, and the row is not active",
                receipts: [
                    .answer(
                        .year(id: "10", cancelled: -5, isOnlyInApp: true),
                        .year(id: "20", cancelled: -5))
                ], rows: [.yearly(until: 265, isActive: false)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "the newer answer has the cancelled id with the smaller number",
                receipts: [
                    .answer(.year(id: "20"), made: -40), .answer(.year(id: "10", cancelled: -5)),
                ], rows: [.yearly(until: 265, isActive: false)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "two line items, one of them cancelled",
                receipts: [
                    .answer(
                        .year(id: "10", lineItem: "76", isOnlyInApp: true),
                        .year(id: "20", cancelled: -5))
                ], rows: [.yearly(until: 265)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "two chains with one line item, one of them cancelled",
                receipts: [
                    .answer(
                        .year(id: "10", isOnlyInApp: true),
                        .year(id: "20", original: "2", cancelled: -5))
                ], rows: [.yearly(until: 265)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "two products with one line item, one of them cancelled",
                receipts: [
                    .answer(
                        .year(id: "10", isOnlyInApp: true),
                        .max(bought: -10, id: "20", cancelled: -5, lineItem: "77"))
                ], rows: [.yearly(until: 265)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "the new id is cancelled, and the row is still active",
                receipts: [
                    .answer(.year(id: "10", isOnlyInApp: true), .year(id: "20", cancelled: -5))
                ], rows: [.yearly(until: 265)], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "the new id, 10 after 9 as numbers, is cancelled, and the row is still active",
                receipts: [.answer(.year(id: "9"), .year(id: "10", cancelled: -5))],
                rows: [.yearly(until: 265)], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "the newer answer has the cancelled id, and the row is still active",
                receipts: [
                    .answer(.year(id: "10"), made: -40), .answer(.year(id: "20", cancelled: -5)),
                ], rows: [.yearly(until: 265)], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "without a line item on the other id, which then still runs",
                receipts: [
                    .answer(
                        .year(id: "10", lineItem: nil, isOnlyInApp: true),
                        .year(id: "20", cancelled: -5))
                ], rows: [.yearly(until: 265, isActive: false)],
                verdicts: [.found(.activeNotGranted)], withoutRow: [.refundRecorded]),
            Scene(
                "empty line items, which are none",
                receipts: [
                    .answer(
                        .year(id: "10", lineItem: "", isOnlyInApp: true),
                        .year(id: "20", cancelled: -5, lineItem: ""))
                ], rows: [.yearly(until: 265, isActive: false)],
                verdicts: [.found(.activeNotGranted)], withoutRow: [.refundRecorded]),
        ])
    func isOnePeriod(scene: Scene) { scene.check() }

    @Test(
        "Restores with new ids count as one purchase; of several the last cancelled one decides",
        arguments: [
            Scene(
                "a purchase and its restore",
                receipts: [
                    .answer(
                        .unlock(bought: -300, id: "5"),
                        .unlock(bought: -100, id: "6", original: "5"))
                ], rows: [.unlock(original: "5")], verdicts: [.consistent]),
            Scene(
                "a refund in the older answer that the restore in the newer one no longer has",
                receipts: [
                    .answer(.unlock(bought: -300, id: "5", cancelled: -85), made: -80),
                    .answer(.unlock(bought: -60, id: "6", original: "5")),
                ], rows: [.unlock(original: "5")], verdicts: [.consistent]),
            Scene(
                "a refunded purchase and its refunded restore",
                receipts: [
                    .answer(
                        .unlock(bought: -300, id: "5", cancelled: -9),
                        .unlock(bought: -100, id: "6", original: "5", cancelled: -9))
                ], rows: [.unlock(isActive: false)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "a purchase and its refunded restore",
                receipts: [
                    .answer(
                        .unlock(bought: -300, id: "5"),
                        .unlock(bought: -100, id: "6", original: "5", cancelled: -9))
                ], rows: [.unlock(isActive: false)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "a refunded purchase and a second one",
                receipts: [
                    .answer(
                        .unlock(bought: -300, id: "5", cancelled: -50),
                        .unlock(bought: -40, id: "8"))
                ], rows: [.unlock(original: "5")], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "a refunded pass beside a shared one",
                receipts: [
                    .answer(
                        .pass(bought: -20, cancelled: -9),
                        .pass(bought: -20, ownership: .familyShared))
                ], rows: [.pass(until: 10)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "a purchase and its restore in the last day",
                receipts: [
                    .answer(
                        .unlock(bought: -300, id: "5"),
                        .unlock(bought: -0.5, id: "6", original: "5"))
                ], rows: [.unlock(isActive: false)], verdicts: [.settling]),
            Scene(
                "two purchases, both refunded",
                receipts: [
                    .answer(
                        .unlock(bought: -300, id: "5", cancelled: -50),
                        .unlock(bought: -40, id: "8", cancelled: -20))
                ], rows: [.unlock(isActive: false)], verdicts: [.consistent],
                withoutRow: [.refundRecorded, .refundRecorded]),
            Scene(
                "a refunded purchase, its restore not, and an active row",
                receipts: [
                    .answer(
                        .unlock(bought: -300, id: "5", cancelled: -9),
                        .unlock(bought: -100, id: "6", original: "5"))
                ], rows: [.unlock(original: "5")], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "the restore in the older answer, the refund in the newer one",
                receipts: [
                    .answer(.unlock(bought: -100, id: "6", original: "5"), made: -80),
                    .answer(.unlock(bought: -300, id: "5", cancelled: -9)),
                ], rows: [.unlock(original: "5")], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "the newer answer does not have the refunded purchase",
                receipts: [
                    .answer(.unlock(bought: -300, id: "5", cancelled: -85), made: -80), .answer(),
                ], rows: [.unlock(original: "5")], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "a refunded pass", receipts: [.answer(.pass(bought: -20, cancelled: -9))],
                rows: [.pass(until: 10)], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "a purchase that was shared by the family",
                receipts: [
                    .answer(.unlock(bought: -300, id: "5", cancelled: -9, ownership: .familyShared))
                ], rows: [.unlock(original: "5")], verdicts: [.found(.familyRevokedStillGranted)],
                withoutRow: [.familyRevocationRecorded]),
            Scene(
                "a pass that was shared by the family",
                receipts: [.answer(.pass(bought: -20, cancelled: -9, ownership: .familyShared))],
                rows: [.pass(until: 10)], verdicts: [.found(.familyRevokedStillGranted)],
                withoutRow: [.familyRevocationRecorded]),
            Scene(
                "two passes, of which the share was withdrawn last",
                receipts: [
                    .answer(
                        .pass(bought: -20, cancelled: -9),
                        .pass(bought: -20, cancelled: -8, ownership: .familyShared))
                ], rows: [.pass(until: 10)], verdicts: [.found(.familyRevokedStillGranted)],
                withoutRow: [.familyRevocationRecorded, .refundRecorded]),
            Scene(
                "two passes, of which the own one was refunded last",
                receipts: [
                    .answer(
                        .pass(bought: -20, cancelled: -8),
                        .pass(bought: -20, cancelled: -9, ownership: .familyShared))
                ], rows: [.pass(until: 10)], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded, .familyRevocationRecorded]),
        ])
    func isOneProduct(scene: Scene) { scene.check() }
}

extension ShownLine {
    /// A year of `pro` that runs for 265 days more. Two of them are one period, by their line item.
    fileprivate static func year(
        id: TransactionID, original: TransactionID? = nil, cancelled: Double? = nil,
        isUpgraded: Bool = false, lineItem: String? = "77", isOnlyInApp: Bool = false
    ) -> ShownLine {
        .yearly(
            bought: -100, until: 265, id: id, original: original, cancelled: cancelled,
            isUpgraded: isUpgraded, lineItem: lineItem, isOnlyInApp: isOnlyInApp)
    }
}
