import Testing

@testable import Reconcile
@testable import TestSupport

/// To add an amount, copy a line and change its label, kind, receipts, rows and amount, or the
/// reason of none. A leak and a debt have the amount of 10 days, and an event the whole.
@Suite("The estimate of a finding")
struct EstimateTests {
    struct Priced: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: FindingKind
        let receipts: [ShownReceipt]
        let rows: [Row]
        /// With its currency.
        let amount: String?
        /// Why there is no amount.
        let reason: Estimate.NoAmount?

        init(
            _ label: String, _ kind: FindingKind, receipts: [ShownReceipt], rows: [Row] = [],
            amount: String?, because reason: Estimate.NoAmount? = nil
        ) {
            testDescription = label
            self.kind = kind
            self.receipts = receipts
            self.rows = rows
            self.amount = amount
            self.reason = reason
        }

        func check() throws {
            let judgement = EstimateTests.judge.judgement(receipts, rows: rows)
            let estimate = try judgement.only(kind).estimate
            let found = estimate?.amount.map { "\($0.text) \($0.currency.code)" }
            #expect(found == amount)
            #expect(estimate?.noAmount == reason)
            if kind == .expiredStillGranted { #expect(estimate?.exposureDays == 10) }
        }
    }

    private static let judge = Judge(
        Catalog(products: [
            .subscription("pro.monthly", group: "G", per: .month, usd: "9.00"),
            .pass("pass", lasts: .days(30), usd: "6.00"), .boughtOnce("unlock", usd: "29.00"),
            .consumable("coins", usd: "1.99"), .consumable("gems"),
        ]))

    @Test(
        "The amount is by the catalogue's price",
        arguments: [
            Priced(
                "a refund", .refundedStillGranted,
                receipts: [.answer(.pro(bought: -10, id: "5", original: "1", cancelled: -10))],
                rows: [.pro(until: 20)], amount: "3.00 USD"),
            Priced(
                "a refund, with an empty promotional offer, which is none", .refundedStillGranted,
                receipts: [
                    .answer(
                        .pro(bought: -10, id: "5", original: "1", cancelled: -10, promotion: ""))
                ], rows: [.pro(until: 20)], amount: "3.00 USD"),
            Priced(
                "a refund after an introductory period", .refundedStillGranted,
                receipts: [
                    .answer(
                        .pro(bought: -40, isIntroductory: true), .pro(bought: -10, cancelled: -10))
                ], rows: [.pro(until: 20)], amount: "3.00 USD"),
            Priced(
                "a refund's event", .refundRecorded,
                receipts: [.answer(.pro(bought: -10, id: "5", original: "1", cancelled: -10))],
                rows: [.pro(until: 20)], amount: "9.00 USD"),
            Priced(
                "a refund's event, with an empty promotional offer", .refundRecorded,
                receipts: [
                    .answer(
                        .pro(bought: -10, id: "5", original: "1", cancelled: -10, promotion: ""))
                ], rows: [.pro(until: 20)], amount: "9.00 USD"),
            Priced(
                "a refund's event after an introductory period", .refundRecorded,
                receipts: [
                    .answer(
                        .pro(bought: -40, isIntroductory: true), .pro(bought: -10, cancelled: -10))
                ], rows: [.pro(until: 20)], amount: "9.00 USD"),
            Priced(
                "an expiry", .expiredStillGranted, receipts: [.answer(.pro(bought: -40))],
                rows: [.pro(until: 20)], amount: "3.00 USD"),
            Priced(
                "an expiry, with an empty promotional offer", .expiredStillGranted,
                receipts: [.answer(.pro(bought: -40, promotion: ""))], rows: [.pro(until: 20)],
                amount: "3.00 USD"),
            Priced(
                "a debt", .activeNotGranted, receipts: [.answer(.pro(bought: -10))],
                rows: [.pro(until: 20, isActive: false)], amount: "3.00 USD"),
            Priced(
                "a debt, with an empty promotional offer", .activeNotGranted,
                receipts: [.answer(.pro(bought: -10, promotion: ""))],
                rows: [.pro(until: 20, isActive: false)], amount: "3.00 USD"),
        ])
    func price(example: Priced) throws { try example.check() }

    @Test(
        "A period by an offer has no amount, since nobody knows what was paid",
        arguments: [
            Priced(
                "a refund of an introductory period", .refundedStillGranted,
                receipts: [
                    .answer(
                        .pro(
                            bought: -10, id: "5", original: "1", cancelled: -10,
                            isIntroductory: true))
                ], rows: [.pro(until: 20)], amount: nil, because: .offerPeriod),
            Priced(
                "a refund of a period by a promotional offer", .refundedStillGranted,
                receipts: [
                    .answer(
                        .pro(
                            bought: -10, id: "5", original: "1", cancelled: -10,
                            promotion: "winback"))
                ], rows: [.pro(until: 20)], amount: nil, because: .offerPeriod),
            Priced(
                "a refund of a period by an offer code", .refundedStillGranted,
                receipts: [
                    .answer(
                        .pro(bought: -10, id: "5", original: "1", cancelled: -10, code: "SPRING26"))
                ], rows: [.pro(until: 20)], amount: nil, because: .offerPeriod),
            Priced(
                "a refund's event, of an introductory period", .refundRecorded,
                receipts: [
                    .answer(
                        .pro(
                            bought: -10, id: "5", original: "1", cancelled: -10,
                            isIntroductory: true))
                ], rows: [.pro(until: 20)], amount: nil, because: .offerPeriod),
            Priced(
                "a refund's event, of a period by a promotional offer", .refundRecorded,
                receipts: [
                    .answer(
                        .pro(
                            bought: -10, id: "5", original: "1", cancelled: -10,
                            promotion: "winback"))
                ], rows: [.pro(until: 20)], amount: nil, because: .offerPeriod),
            Priced(
                "a refund's event, of a period by an offer code", .refundRecorded,
                receipts: [
                    .answer(
                        .pro(bought: -10, id: "5", original: "1", cancelled: -10, code: "SPRING26"))
                ], rows: [.pro(until: 20)], amount: nil, because: .offerPeriod),
            Priced(
                "an expiry of an introductory period", .expiredStillGranted,
                receipts: [.answer(.pro(bought: -40, isIntroductory: true))],
                rows: [.pro(until: 20)], amount: nil, because: .offerPeriod),
            Priced(
                "an expiry of a period by a promotional offer", .expiredStillGranted,
                receipts: [.answer(.pro(bought: -40, promotion: "winback"))],
                rows: [.pro(until: 20)], amount: nil, because: .offerPeriod),
            Priced(
                "an expiry of a period by an offer code", .expiredStillGranted,
                receipts: [.answer(.pro(bought: -40, code: "SPRING26"))], rows: [.pro(until: 20)],
                amount: nil, because: .offerPeriod),
            Priced(
                "a debt of an introductory period", .activeNotGranted,
                receipts: [.answer(.pro(bought: -10, isIntroductory: true))],
                rows: [.pro(until: 20, isActive: false)], amount: nil, because: .offerPeriod),
            Priced(
                "a debt of a period by an offer code", .activeNotGranted,
                receipts: [.answer(.pro(bought: -10, code: "SPRING26"))],
                rows: [.pro(until: 20, isActive: false)], amount: nil, because: .offerPeriod),
            Priced(
                "a debt of a period by a promotional offer", .activeNotGranted,
                receipts: [.answer(.pro(bought: -10, promotion: "winback"))],
                rows: [.pro(until: 20, isActive: false)], amount: nil, because: .offerPeriod),
        ])
    func offer(example: Priced) throws { try example.check() }

    @Test(
        "A trial and a share have the amount zero",
        arguments: [
            Priced(
                "a refund of a trial", .refundedStillGranted,
                receipts: [
                    .answer(
                        .pro(bought: -10, id: "5", original: "1", cancelled: -10, isTrial: true))
                ], rows: [.pro(until: 20)], amount: "0.00 USD"),
            Priced(
                "a refund's event, of a trial", .refundRecorded,
                receipts: [
                    .answer(
                        .pro(bought: -10, id: "5", original: "1", cancelled: -10, isTrial: true))
                ], rows: [.pro(until: 20)], amount: "0.00 USD"),
            Priced(
                "a share that was withdrawn", .familyRevokedStillGranted,
                receipts: [
                    .answer(
                        .pro(
                            bought: -10, id: "5", original: "1", cancelled: -10,
                            ownership: .familyShared))
                ], rows: [.pro(until: 20)], amount: "0.00 USD"),
            Priced(
                "a row that is stored as shared, and that no receipt shows",
                .grantWithoutTransaction, receipts: [.answer()],
                rows: [.pro(until: 20, ownership: .familyShared)], amount: "0.00 USD"),
            Priced(
                "an expiry of a trial", .expiredStillGranted,
                receipts: [.answer(.pro(bought: -40, isTrial: true))], rows: [.pro(until: 20)],
                amount: "0.00 USD"),
            Priced(
                "an expiry of a share", .expiredStillGranted,
                receipts: [.answer(.pro(bought: -40, ownership: .familyShared))],
                rows: [.pro(until: 20)], amount: "0.00 USD"),
            Priced(
                "a debt of a trial", .activeNotGranted,
                receipts: [.answer(.pro(bought: -10, isTrial: true))],
                rows: [.pro(until: 20, isActive: false)], amount: "0.00 USD"),
            Priced(
                "a debt of a share", .activeNotGranted,
                receipts: [.answer(.pro(bought: -10, ownership: .familyShared))],
                rows: [.pro(until: 20, isActive: false)], amount: "0.00 USD"),
        ])
    func free(example: Priced) throws { try example.check() }

    @Test(
        "A refund has the amount of its quantity; a granted right has that of one",
        arguments: [
            Priced(
                "ten of a consumable", .refundRecorded,
                receipts: [.answer(.coins(bought: -20, cancelled: -10, quantity: 10))],
                amount: "19.90 USD"),
            Priced(
                "one of a consumable", .refundRecorded,
                receipts: [.answer(.coins(bought: -20, cancelled: -10, quantity: 1))],
                amount: "1.99 USD"),
            Priced(
                "a consumable without a quantity", .refundRecorded,
                receipts: [.answer(.coins(bought: -20, cancelled: -10))], amount: "1.99 USD"),
            Priced(
                "ten of a consumable without a price", .refundRecorded,
                receipts: [.answer(.gems(bought: -20, cancelled: -10, quantity: 10))], amount: nil,
                because: .noPrice),
            Priced(
                "two of a pass", .refundRecorded,
                receipts: [.answer(.pass(bought: -20, cancelled: -10, quantity: 2))],
                amount: "12.00 USD"),
            Priced(
                "ten of a consumable that was shared", .familyRevocationRecorded,
                receipts: [
                    .answer(
                        .coins(bought: -20, cancelled: -10, ownership: .familyShared, quantity: 10))
                ], amount: nil),
            Priced(
                "two of a product bought once, which is granted once", .refundedStillGranted,
                receipts: [.answer(.unlock(bought: -20, cancelled: -10, quantity: 2))],
                rows: [.unlock()], amount: "29.00 USD"),
            Priced(
                "a product bought once and its restore, still granted", .refundedStillGranted,
                receipts: [
                    .answer(
                        .unlock(bought: -99, cancelled: -10),
                        .unlock(bought: -95, id: "6", original: "1", cancelled: -10))
                ], rows: [.unlock()], amount: "29.00 USD"),
            Priced(
                "the refund's event of a product and its restore", .refundRecorded,
                receipts: [
                    .answer(
                        .unlock(bought: -99, cancelled: -10),
                        .unlock(bought: -95, id: "6", original: "1", cancelled: -10))
                ], rows: [.unlock()], amount: "29.00 USD"),
        ])
    func quantity(example: Priced) throws { try example.check() }
}

extension ShownLine {
    fileprivate static var gems: Builder { builder(of: "gems", days: nil) }
}
