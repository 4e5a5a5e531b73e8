import Testing

@testable import Reconcile
@testable import TestSupport

/// To add an amount, copy a line and change its label, kind, receipts, rows, amount and basis. A
/// leak and a debt have the amount of 10 days, and an event the whole.
@Suite("An estimate by the price that Apple recorded")
struct RecordedPriceTests {
    struct Priced: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: FindingKind
        let receipts: [ShownReceipt]
        let rows: [Row]
        /// With its currency; nil without a price.
        let amount: String?
        let basis: AmountBasis?

        init(
            _ label: String, _ kind: FindingKind = .refundRecorded, _ lines: ShownLine...,
            rows: [Row] = [], amount: String?, by basis: AmountBasis?
        ) {
            testDescription = label
            self.kind = kind
            receipts = [
                ShownReceipt(
                    reply: .none(.verified(ShownCustomer(lines: lines).receipt)),
                    customers: [ShownCustomer(lines: lines)])
            ]
            self.rows = rows
            self.amount = amount
            self.basis = basis
        }
    }

    private static let judge = Judge(
        Catalog(products: [
            .subscription("pro.monthly", group: "G", level: 2, per: .month, usd: "9.00"),
            .subscription("max.monthly", group: "G", level: 1, per: .month, usd: "30.00"),
            .pass("pass", lasts: .days(60), usd: "6.00"), .boughtOnce("unlock", usd: "29.00"),
            .consumable("coins", usd: "1.99"),
        ]))

    private static func refund(_ facts: SignedFact..., price: Int? = 4_500) -> ShownLine {
        var line = ShownLine.pro(bought: -20, cancelled: -10)
        for fact in facts { line = line.signed(fact) }
        return price.map { line.sold(for: $0) } ?? line
    }

    private static let refunds = [
        Priced("a refund", .refundRecorded, refund(), amount: "4.50 USD", by: .recordedPrice),
        Priced(
            "a refund without a price", .refundRecorded, refund(price: nil), amount: "9.00 USD",
            by: .listPrice),
        Priced(
            "half of it", .refundRecorded, refund(.percentage(50_000)), amount: "2.25 USD",
            by: .recordedPrice),
        Priced(
            "a third of it, rounded once", .refundRecorded, refund(.percentage(33_333)),
            amount: "1.50 USD", by: .recordedPrice),
        Priced(
            "half a cent, to the even cent", .refundRecorded,
            refund(.percentage(50_000), price: 90), amount: "0.04 USD", by: .recordedPrice),
        Priced(
            "nothing of it", .refundRecorded, refund(.percentage(0)), amount: "0.00 USD",
            by: .recordedPrice),
        Priced(
            "all of it", .refundRecorded, refund(.percentage(100_000)), amount: "4.50 USD",
            by: .recordedPrice),
        Priced(
            "more than all of it", .refundRecorded, refund(.percentage(100_001)),
            amount: "4.50 USD", by: .recordedPrice),
        Priced(
            "less than nothing", .refundRecorded, refund(.percentage(-1)), amount: "4.50 USD",
            by: .recordedPrice),
        Priced(
            "a part of the list price", .refundRecorded, refund(.percentage(50_000), price: nil),
            amount: "4.50 USD", by: .listPrice),
        Priced(
            "a price in yen", .refundRecorded,
            .pro(bought: -20, cancelled: -10).sold(for: 980_000, "JPY"), amount: "980 JPY",
            by: .recordedPrice),
        Priced(
            "a price below zero", .refundRecorded, refund(price: -1), amount: "9.00 USD",
            by: .listPrice),
        Priced(
            "a currency that is none", .refundRecorded,
            .pro(bought: -20, cancelled: -10).sold(for: 4_500, "€"), amount: "9.00 USD",
            by: .listPrice),
        Priced(
            "ten of a consumable, whose price is of all", .refundRecorded,
            .coins(bought: -20, cancelled: -10, quantity: 10).sold(for: 15_000),
            amount: "15.00 USD", by: .recordedPrice),
        Priced(
            "ten of a consumable by the list price, in part", .refundRecorded,
            .coins(bought: -20, cancelled: -10, quantity: 10).signed(.percentage(50_000)),
            amount: "9.95 USD", by: .listPrice),
    ]

    private static let offers = [
        Priced(
            "an introductory period", .refundRecorded,
            .pro(bought: -20, cancelled: -10, isIntroductory: true).sold(for: 990),
            amount: "0.99 USD", by: .recordedPrice),
        Priced(
            "an introductory period without a price", .refundRecorded,
            .pro(bought: -20, cancelled: -10, isIntroductory: true), amount: nil, by: nil),
        Priced(
            "a win-back offer", .refundRecorded, refund(.winBack), amount: "4.50 USD",
            by: .recordedPrice),
        Priced(
            "a win-back offer without a price", .refundRecorded, refund(.winBack, price: nil),
            amount: nil, by: nil),
        Priced(
            "a trial, for which nothing was paid", .refundRecorded,
            .pro(bought: -20, cancelled: -10, isTrial: true).sold(for: 0), amount: "0.00 USD",
            by: .recordedPrice),
        Priced(
            "a trial without a price", .refundRecorded,
            .pro(bought: -20, cancelled: -10, isTrial: true), amount: "0.00 USD", by: .listPrice),
        Priced(
            "an owner of a kind that Apple added since", .refundRecorded,
            refund(.owner("GROUP_SEAT")), amount: nil, by: nil),
    ]

    private static let leaks = [
        Priced(
            "10 of 30 days", .expiredStillGranted, .pro(bought: -40).sold(for: 4_500),
            rows: [.pro(until: 20)], amount: "1.50 USD", by: .recordedPrice),
        Priced(
            "10 of 60 days, by the transaction's own time and not the catalogue's",
            .expiredStillGranted, .pro(bought: -70, until: -10).sold(for: 9_000),
            rows: [.pro(until: 20)], amount: "1.50 USD", by: .recordedPrice),
        Priced(
            "a transaction without a price", .expiredStillGranted, .pro(bought: -40),
            rows: [.pro(until: 20)], amount: "3.00 USD", by: .listPrice),
        Priced(
            "a debt of 10 days", .activeNotGranted, .pro(bought: -10).sold(for: 4_500),
            rows: [.pro(until: 20, isActive: false)], amount: "1.50 USD", by: .recordedPrice),
        Priced(
            "a row of another product than the transaction, by its own list price",
            .expiredStillGranted, .max(bought: -40).sold(for: 60_000), rows: [.pro(until: 20)],
            amount: "3.00 USD", by: .listPrice),
        Priced(
            "a product that is bought once, whole", .refundedStillGranted,
            .unlock(bought: -20, cancelled: -10).sold(for: 19_990), rows: [.unlock()],
            amount: "19.99 USD", by: .recordedPrice),
        Priced(
            "a refund in part, whose right is not granted in part", .refundedStillGranted,
            .unlock(bought: -20, cancelled: -10).sold(for: 19_990).signed(.percentage(50_000)),
            rows: [.unlock()], amount: "19.99 USD", by: .recordedPrice),
        Priced(
            "a pass, for the catalogue's time", .expiredStillGranted,
            .pass(bought: -70).sold(for: 12_000), rows: [.pass(until: 20)], amount: "2.00 USD",
            by: .recordedPrice),
        Priced(
            "a share, which costs its user nothing", .expiredStillGranted,
            .pro(bought: -40, ownership: .familyShared).sold(for: 4_500), rows: [.pro(until: 20)],
            amount: "0.00 USD", by: .recordedPrice),
        Priced(
            "a commitment that is billed monthly", .expiredStillGranted,
            .pro(bought: -40).sold(for: 4_500).signed(.monthlyCommitment),
            rows: [.pro(until: 20)], amount: "1.50 USD", by: .recordedPrice),
        Priced(
            "such a commitment without a price", .expiredStillGranted,
            .pro(bought: -40).signed(.monthlyCommitment), rows: [.pro(until: 20)], amount: nil,
            by: nil),
        Priced(
            "an owner of a kind that Apple added since", .expiredStillGranted,
            .pro(bought: -40).sold(for: 4_500).signed(.owner("GROUP_SEAT")),
            rows: [.pro(until: 20)], amount: nil, by: nil),
    ]

    @Test(
        "It goes before the list price where it is of the product that is priced",
        arguments: refunds + offers + leaks)
    func price(row: Priced) throws {
        let judgement = Self.judge.judgement(row.receipts, rows: row.rows)
        let estimate = try #require(try judgement.only(row.kind).estimate)
        let amount = estimate.amount.map { "\($0.text) \($0.currency.code)" }
        #expect(amount == row.amount)
        #expect(estimate.amountBasis == row.basis)
    }

    @Test("A debt older than a year is owed for a year, at the recorded price")
    func limited() throws {
        let year = CalendarInterval(months: 12)
        let judge = Judge(
            Catalog(products: [.subscription("pro.yearly", per: year, usd: "99.00")]))
        let customer = ShownReceipt.customer(.yearly(bought: -765, until: -400).sold(for: 36_500))
        let estimate = try #require(
            try judge.judgement([customer], rows: [.yearly(until: 20)]).only(.expiredStillGranted)
                .estimate)
        #expect(estimate.exposureDays == 400)
        #expect(estimate.amount?.text == "36.50")
        #expect(estimate.basis?.hasPrefix("at most 365 days at the recorded 36.50 USD") == true)
    }

    @Test("The calculation says what was recorded")
    func words() throws {
        let half = ShownReceipt.customer(
            .coins(bought: -20, cancelled: -10, quantity: 2).sold(for: 3_000)
                .signed(.percentage(33_333)))
        let estimate = try Self.judge.judgement([half]).only(.refundRecorded).estimate
        #expect(estimate?.basis == "33.333 % of the recorded 3.00 USD")
        let listed = ShownReceipt.customer(
            .coins(bought: -20, cancelled: -10, quantity: 2).signed(.percentage(50_000)))
        let other = try Self.judge.judgement([listed]).only(.refundRecorded).estimate
        #expect(other?.basis == "50 % of 2 × the list price of 1.99 USD")
    }

    @Test("The end of family sharing is no refund, whoever Apple says owned it")
    func familyRevocation() {
        let line = ShownLine.pro(bought: -20, cancelled: -10, ownership: .purchased)
        let judgement = Self.judge.judgement([.customer(line.signed(.familyRevocation))])
        #expect(judgement.kinds.contains(.familyRevocationRecorded))
        #expect(!judgement.kinds.contains(.refundRecorded))
    }
}
