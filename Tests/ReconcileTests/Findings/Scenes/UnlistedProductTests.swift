import Testing

@testable import Reconcile

/// To add a case, copy a line of a table, and change its label, its receipts, its rows and the
/// complete outcome: a verdict for each row, and the findings that are on none.
@Suite("A product and its kind")
struct UnlistedProductTests {
    @Test(
        "A product outside the catalogue is judged by its expiry or signed kind, and never owed",
        arguments: [
            Scene(
                "signed as bought for good, and a row that is not active",
                receipts: [
                    .answer(.unlisted(bought: -400), signedKinds: ["theme": .nonConsumable])
                ], rows: [.unlisted(isActive: false)], verdicts: [.consistent]),
            Scene(
                "signed as bought for good, and an active row",
                receipts: [
                    .answer(.unlisted(bought: -400), signedKinds: ["theme": .nonConsumable])
                ], rows: [.unlisted()], verdicts: [.consistent]),
            Scene(
                "a running subscription without a row",
                receipts: [.answer(.unlistedMonthly(bought: -10))]),
            Scene(
                "signed as bought for good, without a row",
                receipts: [.answer(.unlisted(bought: -400), signedKinds: ["theme": .nonConsumable])]
            ),
            Scene(
                "a running subscription, and a row that is not active",
                receipts: [.answer(.unlistedMonthly(bought: -10))],
                rows: [.unlistedMonthly(until: 20, isActive: false, original: "1")],
                verdicts: [.consistent]),
            Scene(
                "a running subscription, and an active row",
                receipts: [.answer(.unlistedMonthly(bought: -10))],
                rows: [.unlistedMonthly(until: 20, original: "1")], verdicts: [.consistent]),
            Scene(
                "in grace, and a row that is not active",
                receipts: [.answer(.unlistedMonthly(bought: -35), .renewal(.on, .grace(until: 5)))],
                rows: [.unlistedMonthly(until: -5, isActive: false, original: "1")],
                verdicts: [.consistent]),
            Scene(
                "refunded, and a row that is not active",
                receipts: [
                    .answer(
                        .unlisted(bought: -400, cancelled: -5),
                        signedKinds: ["theme": .nonConsumable])
                ], rows: [.unlisted(isActive: false)], verdicts: [.consistent],
                withoutRow: [.refundRecorded]),
            Scene(
                "refunded, and an active row",
                receipts: [
                    .answer(
                        .unlisted(bought: -400, cancelled: -5),
                        signedKinds: ["theme": .nonConsumable])
                ], rows: [.unlisted()], verdicts: [.found(.refundedStillGranted)],
                withoutRow: [.refundRecorded]),
            Scene(
                "a refunded subscription, and an active row",
                receipts: [.answer(.unlistedMonthly(bought: -10, cancelled: -4))],
                rows: [.unlistedMonthly(until: 20, original: "1")],
                verdicts: [.found(.refundedStillGranted)], withoutRow: [.refundRecorded]),
            Scene(
                "of a kind that nothing says", receipts: [.answer(.unlisted(bought: -400))],
                rows: [.unlisted(isActive: false)], verdicts: [.notJudged]),
            Scene(
                "a row with a late end", receipts: [.answer(.unlistedMonthly(bought: -10))],
                rows: [.unlistedMonthly(until: 25, original: "1")],
                verdicts: [.found(.expiryTooLate)]),
            Scene(
                "a row with an early end", receipts: [.answer(.unlistedMonthly(bought: -10))],
                rows: [.unlistedMonthly(until: 5, original: "1")],
                verdicts: [.found(.expiryTooEarly)]),
            Scene(
                "an ended subscription", receipts: [.answer(.unlistedMonthly(bought: -39))],
                rows: [.unlistedMonthly(until: 9, original: "1")],
                verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "beside a product that is owed",
                receipts: [
                    .answer(.unlistedMonthly(bought: -10), .pro(bought: -10, original: "2"))
                ], withoutRow: [.activeNotGranted]),
        ])
    func isUnlisted(scene: Scene) { scene.check() }

    @Test(
        "The catalogue decides on a product's kind, else an expiry, else a signed receipt",
        arguments: [
            Scene(
                "a product bought once, which Apple shows with an expiry",
                receipts: [.answer(.unlock(bought: -10, until: -5))], rows: [.unlock()],
                verdicts: [.consistent]),
            Scene(
                "an expiry of a period that begins after the judgement",
                receipts: [
                    .answer(
                        .unlisted(bought: -10), .unlisted(bought: 0.5, until: 30, original: "2"))
                ], rows: [.unlisted()], verdicts: [.notJudged]),
            Scene(
                "two receipts that call the product two kinds",
                receipts: [
                    .answer(.unlisted(bought: -10), signedKinds: ["theme": .nonConsumable]),
                    .answer(signedKinds: ["theme": .autoRenewable]),
                ], rows: [.unlisted()], verdicts: [.notJudged]),
            Scene(
                "a consumable that a receipt calls bought for good",
                receipts: [.answer(.coins(bought: -10), signedKinds: ["coins": .nonConsumable])],
                rows: [.coins()], verdicts: [.notJudged]),
            Scene(
                "an expiry of a product that a receipt calls bought for good",
                receipts: [
                    .answer(
                        .unlistedMonthly(bought: -10), signedKinds: ["x.monthly": .nonConsumable])
                ], rows: [.unlistedMonthly(until: 25, original: "1")],
                verdicts: [.found(.expiryTooLate)]),
        ])
    func hasKind(scene: Scene) { scene.check() }
}
