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
        chain: TransactionID? = nil, isActive: Bool = true, to end: Double? = 20,
        source: EntitlementSource = .appStore
    ) -> [StoredEntitlement] {
        [.row("s", "silver", chain: chain, isActive: isActive, expires: end, source: source)]
    }

    private static func gold(
        isActive: Bool = true, source: EntitlementSource = .appStore
    ) -> [StoredEntitlement] { [.row("g", "gold", isActive: isActive, source: source)] }

    static let given = cases([
        "consistent": [
            ("a row of another product that was never bought", got("1.2"), silver()),
            ("a row of its own", got("2"), gold()),
            ("a row of its own that is no purchase", got("2"), gold(source: .legacyPaid)),
            ("a row of another product, no purchase", got("2"), silver(source: .legacyPaid)),
            ("a row that ends later than a subscription", got("2.0", active), silver(to: 40)),
            ("a row without an end beside a subscription", got("2.0", active), silver(to: nil)),
            ("not paid for, but subscribed", got("3", active), silver()),
        ],
        "consistent, expired": [
            ("a row of another product, ended", got("2.0", ended), silver()),
            ("such a row without an end", got("1.9", ended), silver(to: nil)),
        ],
        "consistent, refund_recorded": [
            ("a row of another product after a refund", got("1.2", refunded), silver())
        ],
        "not_judged": [("a gift, which covers it", got("2"), silver(source: .other("promo")))],
        "expired_still_granted s": [("not paid for, and ended", got("2.0.1", ended), silver())],
        "refund_recorded, refunded_still_granted s": [
            ("not paid for, and refunded", got("10", refunded), silver()),
            ("undecidable, and the row names the refund", got("2.x", refunded), silver(chain: "1")),
        ],
        "grant_without_transaction g": [("not paid for", got("3"), gold())],
        "freemium_granted_not_paid s": [
            ("not paid for, a row that is no purchase", got("3"), silver(source: .legacyPaid))
        ],
        "expiry_too_late s": [
            ("not paid for, with a later end", got("3", active), silver(to: 40))
        ],
        "expired, unverified": [("undecidable, and ended", got("2.x", ended), silver())],
        "refund_recorded, unverified": [
            ("undecidable, and the row names no refund", got("2.x", refunded), silver())
        ],
    ])

    @Test(
        "A buyer of the app, and no other customer, has the right of the whole group",
        arguments: given)
    func isGiven(row: AnsweredCase) { row.check(by: Self.catalog) }

    private static let two = [silver(isActive: false)[0].updated(-2)] + gold(isActive: false)

    static let owed = cases([
        "freemium_paid_not_granted s": [
            ("on a row of another product", got("1.7"), silver(isActive: false))
        ],
        "expired, freemium_paid_not_granted s": [
            ("after its subscription ended", got("1.7", ended), silver(isActive: false)),
            ("on a row whose time is over", got("1.7", ended), silver(to: -20)),
        ],
        "freemium_paid_not_granted": [("without a row", got("1.7"), [])],
        "consistent, freemium_paid_not_granted g": [("on its own row of two", got("1.7"), two)],
    ])

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
        let judgement = AnsweredCase("", Self.got(version) + [bad], Self.silver(), expected: [])
            .judgement(by: Self.catalog)
        #expect(try judgement.only(.receiptNotAuthentic).weighed == weighed)
    }
}
