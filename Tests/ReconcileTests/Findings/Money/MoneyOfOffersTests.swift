import Testing

@testable import Reconcile

/// A case with one finding of `kind` and its amount; `-` is an empty cell.
struct PricedCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: FindingKind
    let world: AnsweredCase
    let amount: String

    init(
        _ title: String, _ kind: FindingKind, _ receipts: [ReceiptEvidence],
        _ rows: StoredEntitlement..., is amount: String
    ) {
        testDescription = title
        self.kind = kind
        world = AnsweredCase(title, receipts, rows, expected: [])
        self.amount = amount
    }
}

@Suite("The money of an offer, a trial and a quantity")
struct MoneyOfOffersTests {
    private static let catalog = Catalog(products: [
        CatalogProduct(
            id: "pro.monthly", kind: .autoRenewable, group: "G",
            billingPeriod: CalendarInterval(months: 1), listPrice: "9.00", currency: "USD"),
        CatalogProduct(
            id: "pass", kind: .nonRenewing, accessDuration: CalendarInterval(days: 30),
            listPrice: "6.00", currency: "USD"),
        CatalogProduct(
            id: "unlock", kind: .nonConsumable, listPrice: "29.00", currency: "USD"),
        CatalogProduct(id: "coins", kind: .consumable, listPrice: "1.99", currency: "USD"),
        CatalogProduct(id: "gems", kind: .consumable),
    ])

    private static let granted = StoredEntitlement.row("e1", expires: 20)
    private static let taken = StoredEntitlement.row("e1", isActive: false, expires: 20)
    private static let unlocked = StoredEntitlement.row("e1", "unlock")

    private static func period(
        to end: Double, cancelled: Double? = nil, _ more: AppleLine.Members
    ) -> [ReceiptEvidence] {
        [.showing(AppleLine.period("5", from: end - 30, to: end, cancelled: cancelled, with: more))]
    }

    /// A refund, an end and a debt, each of 10 days; and the event of the refund.
    private static func month(
        _ title: String, _ more: AppleLine.Members, is amount: String, refunded: String? = nil
    ) -> [PricedCase] {
        let refund = period(to: 20, cancelled: -10, more)
        let isFamily = more.contains { $0.value == "FAMILY_SHARED" }
        let event = PricedCase(
            "\(title), refunded", .refundRecorded, refund, granted, is: refunded ?? amount)
        return [
            PricedCase(
                "\(title), cancelled and granted",
                isFamily ? .familyRevokedStillGranted : .refundedStillGranted, refund, granted,
                is: amount),
            PricedCase(
                "\(title), ended and granted", .expiredStillGranted, period(to: -10, more),
                granted, is: amount),
            PricedCase(
                "\(title), not granted", .activeNotGranted, period(to: 20, more), taken,
                is: amount),
        ] + (isFamily ? [] : [event])
    }

    static let offers =
        month("at its list price", [:], is: "3.00 USD", refunded: "9.00 USD")
        + month("in an introductory period", ["is_in_intro_offer_period": "true"], is: "-")
        + month("with a promotional offer", ["promotional_offer_id": "winback"], is: "-")
        + month("with an offer code", ["offer_code_ref_name": "SPRING26"], is: "-")
        + month("in a trial", ["is_trial_period": "true"], is: "0.00 USD")
        + month("of the family", AppleLine.familyShared, is: "0.00 USD")
        + month(
            "without an offer that it names empty", ["promotional_offer_id": ""],
            is: "3.00 USD", refunded: "9.00 USD")

    @Test(
        "The amount is unknown for an offer, and zero for a trial or a family member",
        arguments: offers)
    func offer(priced: PricedCase) throws {
        #expect(
            try priced.world.judgement(by: Self.catalog).amount(of: priced.kind) == priced.amount)
    }

    @Test("An offer has its days, but no amount since its price is unknown")
    func days() throws {
        let offer = Self.period(to: -10, ["promotional_offer_id": "winback"])
        let judgement = AnsweredCase("", offer, Self.granted).judgement(by: Self.catalog)
        let finding = try #require(judgement.findings.first { $0.kind == .expiredStillGranted })
        #expect(finding.estimate?.exposureDays == 10)
    }

    @Test("After a first period with an offer the list price counts")
    func laterPeriods() throws {
        let receipt = ReceiptEvidence.showing(
            AppleLine.period(
                "5", from: -40, to: -10, with: ["is_in_intro_offer_period": "true"]),
            AppleLine.period("6", from: -10, to: 20, cancelled: -10))
        let judgement = AnsweredCase("", [receipt], Self.granted).judgement(by: Self.catalog)
        #expect(try judgement.amount(of: .refundedStillGranted) == "3.00 USD")
        #expect(try judgement.amount(of: .refundRecorded) == "9.00 USD")
    }

    private static func refund(_ product: String, _ more: AppleLine.Members) -> [ReceiptEvidence] {
        let line = AppleLine.once("5", product, bought: -20, cancelled: -10, with: more)
        return [.answered(AppleLine.answer(inApp: [line]))]
    }

    private static let ofNumber = ReceiptEvidence.answered(
        AppleLine.answer(inApp: [
            AppleLine.once("5", "coins", bought: -20, cancelled: -10).dropLast()
                + #","quantity":3}"#
        ]))

    static let quantities: [PricedCase] = [
        PricedCase(
            "of ten", .refundRecorded, refund("coins", ["quantity": "10"]), is: "19.90 USD"),
        PricedCase(
            "of one", .refundRecorded, refund("coins", ["quantity": "1"]), is: "1.99 USD"),
        PricedCase("of no quantity", .refundRecorded, refund("coins", [:]), is: "1.99 USD"),
        PricedCase("of three, a number", .refundRecorded, [ofNumber], is: "5.97 USD"),
        PricedCase(
            "of ten without a price", .refundRecorded, refund("gems", ["quantity": "10"]),
            is: "-"),
        PricedCase(
            "of two passes", .refundRecorded, refund("pass", ["quantity": "2"]), is: "12.00 USD"),
        PricedCase(
            "of ten to the family", .familyRevocationRecorded,
            refund(
                "coins", ["quantity": "10", "in_app_ownership_type": "FAMILY_SHARED"]), is: "-"),
        PricedCase(
            "of a row, which is worth its product once", .refundedStillGranted,
            refund("unlock", ["quantity": "2"]), unlocked, is: "29.00 USD"),
    ]

    @Test("The amount of a refund is the list price times the quantity", arguments: quantities)
    func quantity(priced: PricedCase) throws {
        #expect(
            try priced.world.judgement(by: Self.catalog).amount(of: priced.kind) == priced.amount)
    }

    @Test("A lifetime purchase that was restored is counted once")
    func restored() throws {
        let receipt = ReceiptEvidence.answered(
            AppleLine.answer(inApp: [
                AppleLine.once("5", of: "5", "unlock", bought: -200, cancelled: -10),
                AppleLine.once("6", of: "5", "unlock", bought: -100, cancelled: -10),
            ]))
        let judgement = AnsweredCase("", [receipt], Self.unlocked).judgement(by: Self.catalog)
        #expect(try judgement.amount(of: .refundRecorded) == "29.00 USD")
        #expect(try judgement.amount(of: .refundedStillGranted) == "29.00 USD")
    }
}
