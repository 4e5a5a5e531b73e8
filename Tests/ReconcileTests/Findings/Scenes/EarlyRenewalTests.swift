import Testing

@testable import Reconcile

/// To add a case, copy a line of a table, and change its label, its receipts, its rows and the
/// complete outcome: a verdict for each row, and the findings that are on none.
@Suite("A renewal that Apple charges before it begins")
struct EarlyRenewalTests {
    /// 59 minutes are 0.041 days, and 61 are 0.0424.
    @Test(
        "Apple charges up to a day early: a row may already have a renewal's end and product",
        arguments: [
            Scene(
                "a row with the end of the renewal",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 30.5)], verdicts: [.consistent]),
            Scene(
                "a downgrade: a row with the end and the product of the renewal",
                receipts: [.answer(.max(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 30.5)], verdicts: [.consistent]),
            Scene(
                "another product of the same level, to which it renews",
                receipts: [.answer(.yearly(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 30.5)], verdicts: [.consistent]),
            Scene(
                "a renewal that is cancelled after the judgement",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5, cancelled: 0.7))],
                rows: [.pro(until: 30.5)], verdicts: [.consistent]),
            Scene(
                "a renewal that begins 59 minutes after the end",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.541))],
                rows: [.pro(until: 30.5)], verdicts: [.consistent]),
            Scene(
                "a row with the end of the running period",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 0.5)], verdicts: [.consistent]),
            Scene(
                "a row with the end of the running period, and a cancelled renewal",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5, cancelled: -0.1))],
                rows: [.pro(until: 0.5)], verdicts: [.consistent]),
            Scene(
                "a renewal that begins 59 minutes before the end",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.459))],
                rows: [.pro(until: 30.4)], verdicts: [.consistent]),
            Scene(
                "a renewal almost a day away",
                receipts: [.answer(.pro(bought: -29.001), .pro(bought: 0.999))],
                rows: [.pro(until: 30.999)], verdicts: [.consistent]),
            Scene(
                "a row with the end of the second of two renewals",
                receipts: [
                    .answer(
                        .pro(bought: -9.5, until: 0.2), .pro(bought: 0.2, until: 0.5),
                        .pro(bought: 0.5, until: 0.8))
                ], rows: [.pro(until: 0.8)], verdicts: [.consistent]),
            Scene(
                "a row that is not active, after the period has ended",
                receipts: [.answer(.pro(bought: -30.02), .pro(bought: 0.0147))],
                rows: [.pro(until: 30, isActive: false)], verdicts: [.consistent]),
            Scene(
                "a downgrade: a row of the old product",
                receipts: [.answer(.max(bought: -29.5), .pro(bought: 0.5))],
                rows: [.max(until: 0.5)], verdicts: [.consistent]),
            Scene(
                "an upgrade: a row of the new product",
                receipts: [.answer(.pro(bought: -29.5), .max(bought: 0.5))],
                rows: [.max(until: 30.5)], verdicts: [.consistent]),
            Scene(
                "a downgrade: a row of each product",
                receipts: [.answer(.max(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 30.5), .max(until: 0.5)], verdicts: [.consistent, .consistent]),
            Scene(
                "a row that is not active",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 0.5, isActive: false)], verdicts: [.found(.activeNotGranted)]),
            Scene(
                "a renewal that begins 61 minutes after the end",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5424))],
                rows: [.pro(until: 30.5)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a renewal of another chain",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5, original: "2"))],
                rows: [.pro(until: 30.5)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a renewal that was cancelled",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5, cancelled: -0.1))],
                rows: [.pro(until: 30.5)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a renewal that was upgraded",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5, isUpgraded: true))],
                rows: [.pro(until: 30.5)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a renewal that begins 61 minutes before the end",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.4576))],
                rows: [.pro(until: 30.4)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a renewal over a day away",
                receipts: [.answer(.pro(bought: -28.999), .pro(bought: 1.001))],
                rows: [.pro(until: 31.001)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "an end after the renewal's",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 33)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "an end long after the renewal's",
                receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 40)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a downgrade: an end after the renewal's",
                receipts: [.answer(.max(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 33)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a downgrade: an end long after the renewal's",
                receipts: [.answer(.max(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 40)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "an end after that of the second renewal",
                receipts: [
                    .answer(
                        .pro(bought: -9.5, until: 0.2), .pro(bought: 0.2, until: 0.5),
                        .pro(bought: 0.5, until: 0.8))
                ], rows: [.pro(until: 0.9)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a downgrade: an end before that of the running period",
                receipts: [.answer(.max(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro(until: 0.2)], verdicts: [.found(.expiryTooEarly)]),
            Scene(
                "a row without an end", receipts: [.answer(.pro(bought: -29.5), .pro(bought: 0.5))],
                rows: [.pro()], verdicts: [.found(.expiryMissing)]),
            Scene(
                "a downgrade: a row without an end",
                receipts: [.answer(.max(bought: -29.5), .pro(bought: 0.5))], rows: [.pro()],
                verdicts: [.found(.expiryMissing)]),
            Scene(
                "a downgrade: a row of a third, lower product",
                receipts: [.answer(.max(bought: -29.5), .pro(bought: 0.5))],
                rows: [.lite(until: 0.5)], verdicts: [.found(.upgradeNotApplied)]),
            Scene(
                "a downgrade over a day away",
                receipts: [.answer(.max(bought: -28.5), .pro(bought: 1.5))],
                rows: [.pro(until: 31.5)], verdicts: [.found(.upgradeNotApplied)]),
        ])
    func isCharged(scene: Scene) { scene.check() }
}
