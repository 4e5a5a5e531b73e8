import Testing

@testable import Reconcile

/// To add a case, copy a line of a table, and change its label, its receipts, its rows and the
/// complete outcome: a verdict for each row, and the findings that are on none.
@Suite("A stored row compared with what Apple shows")
struct ComparedRowTests {
    @Test(
        "A row is compared with all that Apple shows of its right",
        arguments: [
            Scene(
                "billing retry for three days, and an active row",
                receipts: [.answer(.pro(bought: -33), .renewal(.retry))], rows: [.pro(until: 20)],
                verdicts: [.found(.billingRetryStillGranted)]),
            Scene(
                "billing retry in a grace period, and an active row",
                receipts: [.answer(.pro(bought: -33), .renewal(.retry, .grace(until: 13)))],
                rows: [.pro(until: 13)], verdicts: [.consistent]),
            Scene(
                "billing retry for three days, and a row that is not active",
                receipts: [.answer(.pro(bought: -33), .renewal(.retry))],
                rows: [.pro(until: 20, isActive: false)], verdicts: [.consistent]),
            Scene(
                "a refunded purchase, and a row that is not active",
                receipts: [.answer(.pro(bought: -10, cancelled: -4))],
                rows: [.pro(isActive: false)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "a refunded purchase, and a row that ends now",
                receipts: [.answer(.pro(bought: -10, cancelled: -4))], rows: [.pro(until: 0)],
                verdicts: [.consistent], withoutRow: [.refundRecorded]),
            Scene(
                "an ended and a running period of one chain",
                receipts: [.answer(.pro(bought: -40), .pro(bought: -10))], rows: [.pro(until: 20)],
                verdicts: [.consistent]),
            Scene(
                "one transaction in two answers, of which only that of the least receipt id counts",
                receipts: [
                    .answer(.pro(bought: -10, cancelled: -2), id: "b"),
                    .answer(.pro(bought: -10), id: "a"),
                ], rows: [.pro(until: 20)], verdicts: [.consistent]),
            Scene(
                "a row with the later end of another chain of its group",
                receipts: [.answer(.pro(bought: -10), .max(bought: -5, original: "2"))],
                rows: [.pro(until: 25)], verdicts: [.consistent]),
            Scene(
                "no purchase, and a row that is not active", receipts: [.answer()],
                rows: [.pro(isActive: false)], verdicts: [.consistent]),
            Scene(
                "a row that is stored as one that will end, as Apple says",
                receipts: [.answer(.pro(bought: -20), .renewal(.off))],
                rows: [.pro(until: 10, changed: -0.5, renews: false)], verdicts: [.consistent]),
            Scene(
                "a row that does not say whether it will renew",
                receipts: [.answer(.pro(bought: -20), .renewal(.off))],
                rows: [.pro(until: 10, changed: -0.5)], verdicts: [.consistent]),
            Scene(
                "two purchases after the judgement, and a row of the subscription",
                receipts: [.answer(.pro(bought: 0.5), .unlock(bought: 0.5))],
                rows: [.pro(isActive: false)], verdicts: [.consistent]),
            Scene(
                "two purchases after the judgement, and a row of the product bought once",
                receipts: [.answer(.pro(bought: 0.5), .unlock(bought: 0.5))],
                rows: [.unlock(isActive: false)], verdicts: [.consistent]),
            Scene(
                "a product bought once after the judgement, and a row of a subscription",
                receipts: [.answer(.unlock(bought: 0.5))], rows: [.pro(isActive: false)],
                verdicts: [.consistent]),
            Scene(
                "a product bought once after the judgement, and its row",
                receipts: [.answer(.unlock(bought: 0.5))], rows: [.unlock(isActive: false)],
                verdicts: [.consistent]),
            Scene(
                "a grace period in an answer, and an older iOS 6 answer with a running period",
                receipts: [
                    .answer(.pro(bought: -32), .renewal(.grace(until: 3)), made: -9),
                    .answer(.pro(bought: -10), version: nil, isIOS6: true),
                ], rows: [.pro(until: 3)], verdicts: [.consistent]),
            Scene(
                "a newer answer with a refund, between a grace period and an iOS 6 answer",
                receipts: [
                    .answer(.pro(bought: -32), .renewal(.grace(until: 3)), made: -9),
                    .answer(.pro(bought: -32, cancelled: -3)),
                    .answer(.pro(bought: -10), version: nil, isIOS6: true),
                ], rows: [.pro(until: 20)], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "a newer answer with a refund, after both",
                receipts: [
                    .answer(.pro(bought: -10), version: nil, isIOS6: true),
                    .answer(.pro(bought: -32), .renewal(.grace(until: 3)), made: -9),
                    .answer(.pro(bought: -32, cancelled: -3)),
                ], rows: [.pro(until: 20)], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "a row that says it renews, a day old, against Apple's renewal that is off",
                receipts: [.answer(.pro(bought: -20), .renewal(.off))],
                rows: [.pro(until: 10, changed: -1, renews: true)],
                verdicts: [.found(.labelStale)]),
            Scene(
                "a row that says it renews, against the newest of two renewals",
                receipts: [
                    .answer(.renewal(.on), made: -9), .answer(.pro(bought: -20), .renewal(.off)),
                ], rows: [.pro(until: 10, changed: -1, renews: true)],
                verdicts: [.found(.labelStale)]),
            Scene(
                "a row that says it renews, not yet a day old",
                receipts: [.answer(.pro(bought: -20), .renewal(.off))],
                rows: [.pro(until: 10, changed: -0.999, renews: true)], verdicts: [.settling]),
            Scene(
                "a row that says it renews, changed at the instant of judgement",
                receipts: [.answer(.pro(bought: -20), .renewal(.off))],
                rows: [.pro(until: 10, changed: 0, renews: true)], verdicts: [.settling]),
            Scene(
                "a grace period that ended half a day ago",
                receipts: [.answer(.pro(bought: -40), .renewal(.grace(until: -0.5)))],
                rows: [.pro(until: 20)], verdicts: [.settling]),
            Scene(
                "a test purchase after the judgement",
                receipts: [.answer(.pro(bought: 1), environment: .sandbox)], rows: [.pro()],
                verdicts: [.found(.grantWithoutTransaction)]),
            Scene(
                "a row of a pass that is newer than the receipt", receipts: [.answer()],
                rows: [.pass(changed: -2)], verdicts: [.unverified]),
            Scene(
                "no purchase beside an unchecked receipt, and a row that is not active",
                receipts: [.unchecked, .answer()], rows: [.pro(isActive: false)],
                verdicts: [.unverified]),
            Scene(
                "a row that ends after the grace period",
                receipts: [.answer(.pro(bought: -31), .renewal(.grace(until: 5)))],
                rows: [.pro(until: 9)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a running period, and an active row whose end has passed",
                receipts: [.answer(.pro(bought: -10))], rows: [.pro(until: -1)],
                verdicts: [.found(.activeNotGranted)]),
            Scene(
                "a running pass, and a row that is not active",
                receipts: [.answer(.pass(bought: -9))], rows: [.pass(isActive: false)],
                verdicts: [.found(.ownedNotGranted)]),
            Scene(
                "a period bought in the last day, without a row",
                receipts: [.answer(.pro(bought: -0.5))]),
            Scene(
                "a gift of another product of the group", receipts: [.answer(.pro(bought: -10))],
                rows: [.yearly(until: 9, source: .gift)], verdicts: [.notJudged]),
            Scene(
                "an upgraded period, and the row of its product",
                receipts: [.answer(.solo(bought: -20, isUpgraded: true), .max(bought: -10))],
                rows: [.solo(until: 20)], verdicts: [.found(.productMismatch)]),
            Scene(
                "a gift of the product that was bought, and a row of a lower one",
                receipts: [.answer(.max(bought: -10))],
                rows: [.pro(until: 20), .max(until: 20, source: .gift)],
                verdicts: [.found(.upgradeNotApplied), .notJudged]),
            Scene(
                "a row of another group, with levels of its own, that names the chain",
                receipts: [.answer(.pro(bought: -10))],
                rows: [.news(until: 20, original: "1")], verdicts: [.found(.productMismatch)]),
            Scene(
                "a row of another group that names the chain",
                receipts: [.answer(.pro(bought: -10))], rows: [.solo(until: 20, original: "1")],
                verdicts: [.found(.productMismatch)]),
        ])
    func isCompared(scene: Scene) { scene.check() }

    @Test(
        "A right is owed on the row of the chain, else of the product, else on the latest one",
        arguments: [
            Scene(
                "of four rows that are not active, the one that names the chain",
                receipts: [.answer(.pro(bought: -10))],
                rows: [
                    .yearly(isActive: false, id: "a", changed: -3),
                    .yearly(isActive: false, id: "x", changed: -2), .pro(isActive: false),
                    .yearly(isActive: false, id: "z", original: "1"),
                ], verdicts: [.consistent, .consistent, .consistent, .found(.activeNotGranted)]),
            Scene(
                "of three rows that are not active, the one of the product",
                receipts: [.answer(.pro(bought: -10))],
                rows: [
                    .yearly(isActive: false, id: "a", changed: -3),
                    .yearly(isActive: false, id: "x", changed: -2), .pro(isActive: false, id: "y"),
                ], verdicts: [.consistent, .consistent, .found(.activeNotGranted)]),
            Scene(
                "of two rows of another product, the one changed last",
                receipts: [.answer(.pro(bought: -10))],
                rows: [
                    .yearly(isActive: false, id: "a", changed: -3),
                    .yearly(isActive: false, id: "x", changed: -2),
                ], verdicts: [.consistent, .found(.activeNotGranted)]),
            Scene(
                "of two rows of another product changed at once, the one with the least id",
                receipts: [.answer(.pro(bought: -10))],
                rows: [
                    .yearly(isActive: false, id: "x", changed: -2),
                    .yearly(isActive: false, id: "w", changed: -2),
                ], verdicts: [.consistent, .found(.activeNotGranted)]),
        ])
    func isOwed(scene: Scene) { scene.check() }
}
