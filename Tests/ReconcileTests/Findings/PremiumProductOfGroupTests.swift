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
    private static let refunded = AppleLine.period(
        "1", "silver", from: -10, to: 20, cancelled: -5)

    private static func silver(
        isActive: Bool = true, expires: Double? = 20, source: EntitlementSource = .appStore
    ) -> StoredEntitlement {
        .row("s", "silver", isActive: isActive, expires: expires, source: source)
    }

    private static func gold(
        isActive: Bool = true, source: EntitlementSource = .appStore
    ) -> StoredEntitlement {
        .row("g", "gold", isActive: isActive, source: source)
    }

    static let given: [AnsweredCase] = [
        AnsweredCase(
            "a row of another product after its subscription ended", got("2.0", ended), silver(),
            is: "consistent", "expired"),
        AnsweredCase(
            "such a row without an end", got("1.9", ended), silver(expires: nil),
            is: "consistent", "expired"),
        AnsweredCase(
            "a row of another product after a refund", got("1.2", refunded), silver(),
            is: "consistent", "refund_recorded"),
        AnsweredCase(
            "a row of another product that was never bought", got("1.2"), silver(),
            is: "consistent"),
        AnsweredCase("a row of its own", got("2"), gold(), is: "consistent"),
        AnsweredCase(
            "a row of its own that is no purchase", got("2"), gold(source: .legacyPaid),
            is: "consistent"),
        AnsweredCase(
            "a row of another product that is no purchase", got("2"),
            silver(source: .legacyPaid), is: "consistent"),
        AnsweredCase(
            "a gift of another product, which covers it", got("2"),
            silver(source: .other("promo")), is: "not_judged"),
        AnsweredCase(
            "a row that ends later than an active subscription", got("2.0", active),
            silver(expires: 40), is: "consistent"),
        AnsweredCase(
            "a row without an end beside an active subscription", got("2.0", active),
            silver(expires: nil), is: "consistent"),
    ]

    @Test("A buyer of the app has the right of the whole group", arguments: given)
    func agrees(row: AnsweredCase) { row.check(by: Self.catalog) }

    static let owed: [AnsweredCase] = [
        AnsweredCase(
            "on a row of another product", got("1.7"), silver(isActive: false),
            is: "freemium_paid_not_granted s"),
        AnsweredCase(
            "on a row of another product whose subscription ended", got("1.7", ended),
            silver(isActive: false), is: "expired", "freemium_paid_not_granted s"),
        AnsweredCase(
            "on a row of another product whose time is over", got("1.7", ended),
            silver(expires: -20), is: "expired", "freemium_paid_not_granted s"),
        AnsweredCase("without a row", got("1.7"), is: "freemium_paid_not_granted"),
        AnsweredCase(
            "on its own row of two", got("1.7"), silver(isActive: false).updated(-2),
            gold(isActive: false), is: "consistent", "freemium_paid_not_granted g"),
    ]

    @Test("The right is owed once to a buyer of the app", arguments: owed)
    func isOwed(row: AnsweredCase) throws {
        row.check(by: Self.catalog)
        let finding = try #require(
            row.judgement(by: Self.catalog).findings.first { $0.kind == .freemiumPaidNotGranted })
        #expect(finding.productApple == "gold")
        #expect(finding.direction == .owed && finding.proposedAction == .restore)
        #expect(finding.explanation.contains("gold") && finding.explanation.hasSuffix("."))
        #expect(!finding.explanation.contains("freemium_paid_not_granted"))
        #expect(finding.eventAt == nil && finding.estimate == nil)
    }

    static let notPaid: [AnsweredCase] = [
        AnsweredCase(
            "and whose subscription ended", got("2.0.1", ended), silver(),
            is: "expired_still_granted s"),
        AnsweredCase(
            "and has a refund", got("10", refunded), silver(),
            is: "refund_recorded", "refunded_still_granted s"),
        AnsweredCase(
            "and has nothing", got("3"), gold(), is: "grant_without_transaction g"),
        AnsweredCase(
            "and has a row that is no purchase", got("3"), silver(source: .legacyPaid),
            is: "freemium_granted_not_paid s"),
        AnsweredCase("and subscribes", got("3", active), silver(), is: "consistent"),
        AnsweredCase(
            "and subscribes, with a row that ends later", got("3", active), silver(expires: 40),
            is: "expiry_too_late s"),
    ]

    @Test("A customer who got the app when it was free does not have the right", arguments: notPaid)
    func isNotGiven(row: AnsweredCase) { row.check(by: Self.catalog) }

    static let undecidable: [AnsweredCase] = [
        AnsweredCase(
            "a row of another product is unverified", got("2.x", ended), silver(),
            is: "expired", "unverified"),
        AnsweredCase(
            "a refund that the row does not name is unverified", got("2.x", refunded), silver(),
            is: "refund_recorded", "unverified"),
        AnsweredCase(
            "a refund that the row names is raised", got("2.x", refunded),
            .row("s", "silver", chain: "1", expires: 20),
            is: "refund_recorded", "refunded_still_granted s"),
    ]

    @Test("A version that is not a number leaves the right undecidable", arguments: undecidable)
    func isUndecidable(row: AnsweredCase) { row.check(by: Self.catalog) }

    @Test(
        "A bad receipt is critical unless the app's purchase explains the grant",
        arguments: [("2.0", Severity.medium), ("2.1", .critical)])
    func badReceipt(version: String, severity: Severity) throws {
        let bad = ReceiptEvidence.stored("r9", .rejected(.notAuthentic))
        let world = AnsweredCase("", Self.got(version) + [bad], Self.silver())
        let finding = try #require(
            world.judgement(by: Self.catalog).findings.first { $0.kind == .receiptNotAuthentic })
        #expect(finding.severity == severity)
    }
}
