import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a scene and change its label, receipts, rows and the complete outcome.
@Suite("An app that became free")
struct FreemiumTests {
    /// `dated` was sold until 100 days ago and has no last paid version; `dual` has both. `twin`
    /// has a version only, and the premium product of `dual`.
    private static let untilDate = Judge(
        Catalog(
            products: [.boughtOnce("full"), .boughtOnce("whole")],
            apps: [
                CatalogApp(bundle: "dated", paidUntil: .day(-100), premiumProduct: "full"),
                CatalogApp(
                    bundle: "dual", lastPaidVersion: "3.5", paidUntil: .day(-100),
                    premiumProduct: "whole"),
                CatalogApp(bundle: "twin", lastPaidVersion: "2", premiumProduct: "whole"),
            ]))

    @Test(
        "The date decides only where there is no last paid version, or the version is undecidable",
        arguments: [
            Scene(
                "no last paid version: got just before the day",
                receipts: [.answer(app: "dated", version: "77", firstGot: -100.001)],
                rows: [.full(source: .legacyPaid)], verdicts: [.consistent]),
            Scene(
                "no version in the answer: got before the day",
                receipts: [.answer(app: "dated", version: "", firstGot: -300)],
                rows: [.full(source: .legacyPaid)], verdicts: [.consistent]),
            Scene(
                "a row of the store's: got before the day",
                receipts: [.answer(app: "dated", version: "77", firstGot: -300)], rows: [.full()],
                verdicts: [.consistent]),
            Scene(
                "both are known: a version that was paid for, got after the day",
                receipts: [.answer(app: "dual", version: "3.4.9", firstGot: -10)],
                rows: [.whole(source: .legacyPaid)], verdicts: [.consistent]),
            Scene(
                "both are known: a version that cannot be compared, got before the day",
                receipts: [.answer(app: "dual", version: "3.b", firstGot: -300)],
                rows: [.whole(source: .legacyPaid)], verdicts: [.consistent]),
            Scene(
                "no last paid version: got on the day",
                receipts: [.answer(app: "dated", version: "1", firstGot: -100)],
                rows: [.full(source: .legacyPaid)], verdicts: [.found(.freemiumGrantedNotPaid)]),
            Scene(
                "no last paid version: got after the day",
                receipts: [.answer(app: "dated", version: "1", firstGot: -50)],
                rows: [.full(source: .legacyPaid)], verdicts: [.found(.freemiumGrantedNotPaid)]),
            Scene(
                "both are known: a later version, got before the day",
                receipts: [.answer(app: "dual", version: "3.6", firstGot: -300)],
                rows: [.whole(source: .legacyPaid)], verdicts: [.found(.freemiumGrantedNotPaid)]),
            Scene(
                "both are known: no version, got after the day",
                receipts: [.answer(app: "dual", version: "", firstGot: -10)],
                rows: [.whole(source: .legacyPaid)], verdicts: [.found(.freemiumGrantedNotPaid)]),
            Scene(
                "two apps of one premium product, neither paid for",
                receipts: [
                    .answer(app: "twin", version: "2.1"),
                    .answer(app: "dual", version: "5", firstGot: -10),
                ], rows: [.whole(source: .legacyPaid)],
                verdicts: [.found(.freemiumGrantedNotPaid)]),
            Scene(
                "a row that is not active: got before the day",
                receipts: [.answer(app: "dated", version: "77", firstGot: -300)],
                rows: [.full(isActive: false, source: .legacyPaid)],
                verdicts: [.found(.freemiumPaidNotGranted)]),
            Scene(
                "no row: got before the day",
                receipts: [.answer(app: "dated", version: "77", firstGot: -300)],
                withoutRow: [.freemiumPaidNotGranted]),
            Scene(
                "a row of the store's: got after the day",
                receipts: [.answer(app: "dated", version: "1", firstGot: -50)], rows: [.full()],
                verdicts: [.found(.grantWithoutTransaction)]),
            Scene(
                "no row: got after the day",
                receipts: [.answer(app: "dated", version: "1", firstGot: -50)]),
            Scene(
                "no last paid version: no day in the answer",
                receipts: [.answer(app: "dated", version: "1")], rows: [.full(source: .legacyPaid)],
                verdicts: [.found(.freemiumUndecidable)]),
            Scene(
                "both are known: a version that cannot be compared, and no day",
                receipts: [.answer(app: "dual", version: "x")], rows: [.whole(source: .legacyPaid)],
                verdicts: [.found(.freemiumUndecidable)]),
            Scene(
                "two apps not paid for, and a receipt without a version",
                receipts: [
                    .answer(app: "twin", version: "2.1"),
                    .answer(app: "dual", version: "5", firstGot: -10),
                    .answer(app: "twin", version: ""),
                ], rows: [.whole(source: .legacyPaid)], verdicts: [.found(.freemiumUndecidable)]),
            Scene(
                "the second of two apps was paid for",
                receipts: [
                    .answer(app: "dual", version: "5", firstGot: -10),
                    .answer(app: "twin", version: "2.0"),
                ], rows: [.whole(source: .legacyPaid)], verdicts: [.consistent]),
            Scene(
                "the first of two apps was paid for",
                receipts: [
                    .answer(app: "twin", version: "1.9"),
                    .answer(app: "dual", version: "5", firstGot: -10),
                ], rows: [.whole(source: .legacyPaid)], verdicts: [.consistent]),
        ])
    func goesByDate(scene: Scene) { scene.check(by: Self.untilDate) }
}

/// To add a case, copy a scene and change its label, receipts, rows and the complete outcome.
@Suite("An app that became free, with a premium product in a group")
struct FreemiumGroupTests {
    /// Paid for up to version 2.0: a buyer has the right of `gold`'s group, and so of `silver`.
    private static let judge = Judge(
        Catalog(
            products: [
                .subscription("gold", group: "shop", level: 1, per: .month, usd: "9.00"),
                .subscription("silver", group: "shop", level: 2),
            ],
            apps: [CatalogApp(bundle: "acme", lastPaidVersion: "2.0", premiumProduct: "gold")]))

    @Test(
        "A buyer of the app, and no other customer, has the right of the whole group, owed once",
        arguments: [
            Scene(
                "paid for, and a row of a product never bought",
                receipts: [.answer(version: "1.2")], rows: [.silver(until: 20)],
                verdicts: [.consistent]),
            Scene(
                "paid for, and a row of the premium product", receipts: [.answer(version: "2")],
                rows: [.gold()], verdicts: [.consistent]),
            Scene(
                "paid for, and a row of the premium product as paid for",
                receipts: [.answer(version: "2")], rows: [.gold(source: .legacyPaid)],
                verdicts: [.consistent]),
            Scene(
                "paid for, and a row of another product as paid for",
                receipts: [.answer(version: "2")], rows: [.silver(until: 20, source: .legacyPaid)],
                verdicts: [.consistent]),
            Scene(
                "paid for and subscribed, and a row with a later end",
                receipts: [.answer(.silver(bought: -10, until: 20), version: "2.0")],
                rows: [.silver(until: 40)], verdicts: [.consistent]),
            Scene(
                "paid for and subscribed, and a row without an end",
                receipts: [.answer(.silver(bought: -10, until: 20), version: "2.0")],
                rows: [.silver()], verdicts: [.consistent]),
            Scene(
                "not paid for, but subscribed",
                receipts: [.answer(.silver(bought: -10, until: 20), version: "3")],
                rows: [.silver(until: 20)], verdicts: [.consistent]),
            Scene(
                "paid for and subscribed, and a row of the higher product",
                receipts: [.answer(.silver(bought: -10, until: 20), version: "2.0")],
                rows: [.gold(until: 20)], verdicts: [.found(.downgradeNotApplied)]),
            Scene(
                "paid for, and the subscription has ended",
                receipts: [.answer(.silver(bought: -50, until: -20), version: "2.0")],
                rows: [.silver(until: 20)], verdicts: [.consistent], withoutRow: [.expired]),
            Scene(
                "paid for, and the subscription has ended, but a row has no end",
                receipts: [.answer(.silver(bought: -50, until: -20), version: "1.9")],
                rows: [.silver()], verdicts: [.consistent], withoutRow: [.expired]),
            Scene(
                "paid for, and the subscription was refunded",
                receipts: [.answer(.silver(bought: -10, until: 20, cancelled: -5), version: "1.2")],
                rows: [.silver(until: 20)], verdicts: [.consistent], withoutRow: [.refundRecorded]),
            Scene(
                "paid for, and a gift, which covers it", receipts: [.answer(version: "2")],
                rows: [.silver(until: 20, source: .gift)], verdicts: [.notJudged]),
            Scene(
                "not paid for, and the subscription has ended",
                receipts: [.answer(.silver(bought: -50, until: -20), version: "2.0.1")],
                rows: [.silver(until: 20)], verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "not paid for, and the subscription was refunded",
                receipts: [.answer(.silver(bought: -10, until: 20, cancelled: -5), version: "10")],
                rows: [.silver(until: 20)], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "perhaps paid for, and a row that names the refunded subscription",
                receipts: [.answer(.silver(bought: -10, until: 20, cancelled: -5), version: "2.x")],
                rows: [.silver(until: 20, original: "1")],
                verdicts: [.found(.refundedStillGranted)], withoutRow: [.refundRecorded]),
            Scene(
                "not paid for, and a row of the premium product", receipts: [.answer(version: "3")],
                rows: [.gold()], verdicts: [.found(.grantWithoutTransaction)]),
            Scene(
                "not paid for, and a row of another product as paid for",
                receipts: [.answer(version: "3")], rows: [.silver(until: 20, source: .legacyPaid)],
                verdicts: [.found(.freemiumGrantedNotPaid)]),
            Scene(
                "not paid for, and a row with a later end than the subscription",
                receipts: [.answer(.silver(bought: -10, until: 20), version: "3")],
                rows: [.silver(until: 40)], verdicts: [.found(.expiryTooLate)]),
            Scene(
                "perhaps paid for, and the subscription has ended",
                receipts: [.answer(.silver(bought: -50, until: -20), version: "2.x")],
                rows: [.silver(until: 20)], verdicts: [.unverified], withoutRow: [.expired]),
            Scene(
                "perhaps paid for, and the subscription was refunded",
                receipts: [.answer(.silver(bought: -10, until: 20, cancelled: -5), version: "2.x")],
                rows: [.silver(until: 20)], verdicts: [.unverified], withoutRow: [.refundRecorded]),
            Scene(
                "paid for, and a row that is not active", receipts: [.answer(version: "1.7")],
                rows: [.silver(until: 20, isActive: false)],
                verdicts: [.found(.freemiumPaidNotGranted)]),
            Scene(
                "paid for, an ended subscription, and a row that is not active",
                receipts: [.answer(.silver(bought: -50, until: -20), version: "1.7")],
                rows: [.silver(until: 20, isActive: false)],
                verdicts: [.found(.freemiumPaidNotGranted)], withoutRow: [.expired]),
            Scene(
                "paid for, an ended subscription, and a row that has ended",
                receipts: [.answer(.silver(bought: -50, until: -20), version: "1.7")],
                rows: [.silver(until: -20)], verdicts: [.found(.freemiumPaidNotGranted)],
                withoutRow: [.expired]),
            Scene(
                "paid for, without a row", receipts: [.answer(version: "1.7")],
                withoutRow: [.freemiumPaidNotGranted]),
            Scene(
                "paid for, and two rows that are not active", receipts: [.answer(version: "1.7")],
                rows: [.silver(until: 20, isActive: false, changed: -2), .gold(isActive: false)],
                verdicts: [.consistent, .found(.freemiumPaidNotGranted)]),
        ])
    func isGiven(scene: Scene) {
        for finding in scene.check(by: Self.judge).findings
        where finding.kind == .freemiumPaidNotGranted {
            #expect(finding.productApple == "gold")
            #expect(finding.explanation.contains("gold"))
            #expect(!finding.explanation.contains("freemium_paid_not_granted"))
            #expect(finding.eventAt == nil)
            #expect(finding.estimate == nil)
        }
    }

    @Test(
        "A bad receipt is critical unless the app's purchase explains the grant",
        arguments: [("2.0", .medium), ("2.1", .criticalLeak)] as [(String, FindingKind.Weight)])
    func badReceipt(version: String, weight: FindingKind.Weight) throws {
        let judgement = Self.judge.judgement(
            [.answer(version: version), .refused], rows: [.silver(until: 20)])
        #expect(try judgement.only(.receiptNotAuthentic).weight == weight)
    }
}

extension NamedProducts {
    fileprivate static var whole: Builder { builder(of: "whole", days: nil) }
    fileprivate static var gold: Builder { builder(of: "gold", days: nil) }
    fileprivate static var silver: Builder { builder(of: "silver", days: nil) }
}
