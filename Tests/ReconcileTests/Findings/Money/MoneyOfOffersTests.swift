import Testing

@testable import Reconcile

@Suite("The money of an offer, a trial and a quantity")
struct MoneyOfOffersTests {
    private static let judge = Judge(
        catalog: Catalog(products: [
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
        ]), settings: JudgingSettings(asOf: .asOf))

    private static let granted = StoredEntitlement.row("e1", expires: 20)
    private static let taken = StoredEntitlement.row("e1", isActive: false, expires: 20)
    private static let unlocked = StoredEntitlement.row("e1", "unlock")

    private static func period(
        to end: Double, cancelled: Double? = nil, _ more: AppleLine.Members
    ) -> [ReceiptEvidence] {
        [.showing(AppleLine.period("5", from: end - 30, to: end, cancelled: cancelled, with: more))]
    }

    /// A refund, an end and a debt have the amount of 10 days, and the event of the refund another.
    static let offers: [(AppleLine.Members, amount: String, refunded: String)] = [
        ([:], "3.00 USD", "9.00 USD"),
        (["promotional_offer_id": ""], "3.00 USD", "9.00 USD"),
        (["is_in_intro_offer_period": "true"], "-", "-"),
        (["promotional_offer_id": "winback"], "-", "-"),
        (["offer_code_ref_name": "SPRING26"], "-", "-"),
        (["is_trial_period": "true"], "0.00 USD", "0.00 USD"),
        (AppleLine.familyShared, "0.00 USD", ""),
    ]

    @Test(
        "An amount is unknown for an offer, zero for a trial or a family member, else the price",
        arguments: offers)
    func offer(more: AppleLine.Members, expected: String, refunded: String) throws {
        let refund = Self.period(to: 20, cancelled: -10, more)
        let isFamily = refunded.isEmpty
        let cancelled: FindingKind = isFamily ? .familyRevokedStillGranted : .refundedStillGranted
        #expect(try amount(cancelled, refund, Self.granted) == expected)
        #expect(
            try amount(.expiredStillGranted, Self.period(to: -10, more), Self.granted) == expected)
        #expect(try amount(.activeNotGranted, Self.period(to: 20, more), Self.taken) == expected)
        if !isFamily { #expect(try amount(.refundRecorded, refund, Self.granted) == refunded) }
    }

    private func amount(
        _ kind: FindingKind, _ receipts: [ReceiptEvidence], _ row: StoredEntitlement?
    ) throws -> String {
        try Self.judge.judgement(of: receipts, row.map { [$0] } ?? []).amount(of: kind)
    }

    private static let laterPeriod = [
        ReceiptEvidence.showing(
            AppleLine.period("5", from: -40, to: -10, with: ["is_in_intro_offer_period": "true"]),
            AppleLine.period("6", from: -10, to: 20, cancelled: -10))
    ]

    private static func refund(_ product: String, _ more: AppleLine.Members) -> [ReceiptEvidence] {
        let line = AppleLine.once("5", product, bought: -20, cancelled: -10, with: more)
        return [.answered(AppleLine.answer(inApp: [line]))]
    }

    private static let ofNumber = ReceiptEvidence.answered(
        AppleLine.answer(inApp: [
            AppleLine.once("5", "coins", bought: -20, cancelled: -10).dropLast()
                + #","quantity":3}"#
        ]))

    private static let restored = ReceiptEvidence.answered(
        AppleLine.answer(inApp: [
            AppleLine.once("5", of: "5", "unlock", bought: -200, cancelled: -10),
            AppleLine.once("6", of: "5", "unlock", bought: -100, cancelled: -10),
        ]))

    static let cases: [(String, FindingKind, [ReceiptEvidence], StoredEntitlement?, String)] = [
        ("of ten", .refundRecorded, refund("coins", ["quantity": "10"]), nil, "19.90 USD"),
        ("of one", .refundRecorded, refund("coins", ["quantity": "1"]), nil, "1.99 USD"),
        ("of no quantity", .refundRecorded, refund("coins", [:]), nil, "1.99 USD"),
        ("of three, a number", .refundRecorded, [ofNumber], nil, "5.97 USD"),
        ("of ten without a price", .refundRecorded, refund("gems", ["quantity": "10"]), nil, "-"),
        ("of two passes", .refundRecorded, refund("pass", ["quantity": "2"]), nil, "12.00 USD"),
        (
            "of ten to the family", .familyRevocationRecorded,
            refund("coins", ["quantity": "10", "in_app_ownership_type": "FAMILY_SHARED"]), nil, "-"
        ),
        (
            "of a row, which is worth its product once", .refundedStillGranted,
            refund("unlock", ["quantity": "2"]), unlocked, "29.00 USD"
        ),
        ("restored, which counts once", .refundRecorded, [restored], unlocked, "29.00 USD"),
        ("of a restored row", .refundedStillGranted, [restored], unlocked, "29.00 USD"),
        ("after an offer, of a row", .refundedStillGranted, laterPeriod, granted, "3.00 USD"),
        ("after an offer", .refundRecorded, laterPeriod, granted, "9.00 USD"),
    ]

    @Test("The amount of a refund is the list price times the quantity", arguments: cases)
    func refund(
        title: String, kind: FindingKind, receipts: [ReceiptEvidence], row: StoredEntitlement?,
        expected: String
    ) throws { #expect(try amount(kind, receipts, row) == expected) }

    @Test("An offer has its days, but no amount since its price is unknown")
    func days() throws {
        let offer = Self.period(to: -10, ["promotional_offer_id": "winback"])
        let finding = try Self.judge.judgement(of: offer, [Self.granted]).only(.expiredStillGranted)
        #expect(finding.estimate?.exposureDays == 10)
    }
}
