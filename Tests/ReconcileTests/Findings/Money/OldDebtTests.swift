import Testing

@testable import Reconcile
@testable import TestSupport

/// A debt that began `days` ago. To add one, copy a line of the table.
struct OldDebt: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: FindingKind
    let shown: ShownLine
    let row: Row
    let days: Int
    let amount: String
    /// How the explanation ends.
    let basis: String
}

@Suite("The money of a debt older than a year")
struct OldDebtTests {
    private static let judge = Judge(
        Catalog(products: [
            .subscription("pro.monthly", group: "G", per: .month, usd: "9.00"),
            .pass("pass", lasts: .days(30), usd: "6.00"), .boughtOnce("unlock", usd: "29.00"),
        ]))
    private static let forever = Row.pro(changed: -900)

    @Test(
        "An amount over time counts at most 365 days, and says so",
        arguments: [
            OldDebt(
                testDescription: "365 days", kind: .expiredStillGranted,
                shown: .pro(bought: -395), row: forever, days: 365, amount: "109.50",
                basis: "(estimate: 365 days at 9.00 USD per month = 109.50 USD)."),
            OldDebt(
                testDescription: "366 days", kind: .expiredStillGranted,
                shown: .pro(bought: -396), row: forever, days: 366, amount: "109.50",
                basis: "(estimate: at most 365 days at 9.00 USD per month = 109.50 USD)."),
            OldDebt(
                testDescription: "a pass", kind: .expiredStillGranted,
                shown: .pass(bought: -730), row: .pass(changed: -900), days: 700,
                amount: "73.00",
                basis: "(estimate: at most 365 days at 6.00 USD per 30 days = 73.00 USD)."),
            OldDebt(
                testDescription: "a trial", kind: .expiredStillGranted,
                shown: .pro(bought: -530, isTrial: true), row: forever, days: 500,
                amount: "0.00",
                basis: "(estimate: at most 365 days of a trial listed at 9.00 USD per month"
                    + " = 0.00 USD)."),
            OldDebt(
                testDescription: "what the customer is owed", kind: .ownedNotGranted,
                shown: .unlock(bought: -500), row: .unlock(isActive: false),
                days: 500, amount: "29.00",
                basis: "(estimate: the whole price of 29.00 USD, after 500 days = 29.00 USD)."),
            OldDebt(
                testDescription: "a product bought once, refunded", kind: .refundedStillGranted,
                shown: .unlock(bought: -900, cancelled: -500), row: .unlock(),
                days: 500, amount: "29.00",
                basis: "(estimate: the whole price of 29.00 USD, after 500 days = 29.00 USD)."),
        ])
    func capped(debt: OldDebt) throws {
        let judgement = Self.judge.judgement([.answer(debt.shown)], rows: [debt.row])
        let finding = try judgement.only(debt.kind)
        let row = UserHistory().reported([finding], judgedAt: .asOf)[0]
        #expect(row.exposureDays == debt.days)
        #expect(row.estimatedAmount == debt.amount)
        #expect(row.finding.explanation.hasSuffix(debt.basis))
    }
}
