import Testing

@testable import Reconcile

/// The app was paid for up to version 2.0: a buyer has the right of `gold`, which is that of its
/// group, and so of `silver`.
@Suite("A premium product of a subscription group")
struct PremiumProductOfGroupTests {
    private static let catalog = Catalog(
        products: [
            CatalogProduct(
                id: "gold", kind: .autoRenewable, group: "shop", serviceLevel: 1,
                billingPeriod: CalendarInterval(months: 1), listPrice: "9.00", currency: "USD"),
            CatalogProduct(id: "silver", kind: .autoRenewable, group: "shop", serviceLevel: 2),
        ],
        apps: [CatalogApp(bundle: "acme", lastPaidVersion: "2.0", premiumProduct: "gold")])

    private static func got(_ version: String, _ lines: String...) -> [ReceiptEvidence] {
        [.answered(AppleLine.answer(latest: lines, version: version))]
    }

    private static let ended = AppleLine.period("1", "silver", from: -50, to: -20)
    private static let active = AppleLine.period("1", "silver", from: -10, to: 20)
    private static let refunded = AppleLine.period("1", "silver", from: -10, to: 20, cancelled: -5)

    private static func silver(
        isActive: Bool = true, expires: Double? = 20, source: EntitlementSource = .appStore
    ) -> StoredEntitlement {
        .row("s", "silver", isActive: isActive, expires: expires, source: source)
    }

    private static func gold(
        isActive: Bool = true, source: EntitlementSource = .appStore
    ) -> StoredEntitlement { .row("g", "gold", isActive: isActive, source: source) }

    static let cases: [AnsweredCase] = [
        .init(
            "a row of another product after its subscription ended", got("2.0", ended), silver(),
            is: "consistent", "expired"),
        .init(
            "such a row without an end", got("1.9", ended), silver(expires: nil),
            is: "consistent", "expired"),
        .init(
            "a row of another product after a refund", got("1.2", refunded), silver(),
            is: "consistent", "refund_recorded"),
        .init(
            "a row of another product that was never bought", got("1.2"), silver(),
            is: "consistent"),
        .init("a row of its own", got("2"), gold(), is: "consistent"),
        .init(
            "a row of its own that is no purchase", got("2"), gold(source: .legacyPaid),
            is: "consistent"),
        .init(
            "a row of another product that is no purchase", got("2"), silver(source: .legacyPaid),
            is: "consistent"),
        .init(
            "a gift of another product, which covers it", got("2"), silver(source: .other("promo")),
            is: "not_judged"),
        .init(
            "a row that ends later than an active subscription", got("2.0", active),
            silver(expires: 40), is: "consistent"),
        .init(
            "a row without an end beside an active subscription", got("2.0", active),
            silver(expires: nil), is: "consistent"),
        .init(
            "not paid for, and the subscription ended", got("2.0.1", ended), silver(),
            is: "expired_still_granted s"),
        .init(
            "not paid for, and refunded", got("10", refunded), silver(),
            is: "refund_recorded", "refunded_still_granted s"),
        .init("not paid for", got("3"), gold(), is: "grant_without_transaction g"),
        .init(
            "not paid for, on a row that is no purchase", got("3"), silver(source: .legacyPaid),
            is: "freemium_granted_not_paid s"),
        .init("not paid for, but subscribed", got("3", active), silver(), is: "consistent"),
        .init(
            "not paid for, but subscribed, with a row that ends later", got("3", active),
            silver(expires: 40), is: "expiry_too_late s"),
        .init(
            "undecidable, after the subscription ended", got("2.x", ended), silver(),
            is: "expired", "unverified"),
        .init(
            "undecidable, with a refund that the row does not name", got("2.x", refunded),
            silver(), is: "refund_recorded", "unverified"),
        .init(
            "undecidable, with a refund that the row names", got("2.x", refunded),
            .row("s", "silver", chain: "1", expires: 20),
            is: "refund_recorded", "refunded_still_granted s"),
    ]

    @Test(
        "A buyer of the app, and no other customer, has the right of the whole group",
        arguments: cases)
    func isGiven(row: AnsweredCase) { row.check(by: Self.catalog) }

    static let owed: [AnsweredCase] = [
        .init(
            "on a row of another product", got("1.7"), silver(isActive: false),
            is: "freemium_paid_not_granted s"),
        .init(
            "on a row of another product whose subscription ended", got("1.7", ended),
            silver(isActive: false), is: "expired", "freemium_paid_not_granted s"),
        .init(
            "on a row of another product whose time is over", got("1.7", ended),
            silver(expires: -20), is: "expired", "freemium_paid_not_granted s"),
        .init("without a row", got("1.7"), is: "freemium_paid_not_granted"),
        .init(
            "on its own row of two", got("1.7"), silver(isActive: false).updated(-2),
            gold(isActive: false), is: "consistent", "freemium_paid_not_granted g"),
    ]

    @Test("The right is owed once to a buyer of the app", arguments: owed)
    func isOwed(row: AnsweredCase) throws {
        row.check(by: Self.catalog)
        let finding = try row.judgement(by: Self.catalog).only(.freemiumPaidNotGranted)
        #expect(finding.productApple == "gold")
        #expect(finding.direction == .owed && finding.proposedAction == .restore)
        #expect(finding.explanation.contains("gold") && finding.explanation.hasSuffix("."))
        #expect(!finding.explanation.contains("freemium_paid_not_granted"))
        #expect(finding.eventAt == nil && finding.estimate == nil)
    }

    @Test(
        "A bad receipt is critical unless the app's purchase explains the grant",
        arguments: [("2.0", "medium none"), ("2.1", "critical leak")])
    func badReceipt(version: String, weighed: String) throws {
        let bad = ReceiptEvidence.stored("r9", .rejected(.notAuthentic))
        let world = AnsweredCase("", Self.got(version) + [bad], Self.silver())
        let judgement = world.judgement(by: Self.catalog)
        #expect(try judgement.only(.receiptNotAuthentic).weighed == weighed)
    }
}
