import Testing

@testable import Reconcile
@testable import TestSupport

/// `dated` was sold until 100 days ago and has no last paid version; `dual` has both. `twin` has a
/// version only, and the premium product of `dual`.
@Suite("An app that was sold until a date")
struct PaidUntilDateTests {
    private static let catalog = Catalog(
        products: ["full", "whole"].map { CatalogProduct(id: $0, kind: .nonConsumable) },
        apps: [
            CatalogApp(bundle: "dated", paidUntil: .day(-100), premiumProduct: "full"),
            CatalogApp(
                bundle: "dual", lastPaidVersion: "3.5", paidUntil: .day(-100),
                premiumProduct: "whole"),
            CatalogApp(bundle: "twin", lastPaidVersion: "2", premiumProduct: "whole"),
        ])

    @Test(
        "The date decides only where there is no last paid version, or the version is undecidable",
        arguments: scenes(
            """
            DUAL = answer of dual version 5 got -10
            EARLY = answer of dated version 77 got -300
            LATE = answer of dated version 1 got -50
            answer of dated version 77 got -100.001 | full legacy | consistent | got before it
            answer of dated version - got -300 | full legacy | consistent
            EARLY | full | consistent
            answer of dual version 3.4.9 got -10 / answer of dual version 3.b got -300 \
            | whole legacy | consistent
            answer of dated version 1 got -100 / LATE | full legacy | freemium_granted_not_paid e1
            answer of dual version 3.6 got -300 / answer of dual version - got -10 | whole legacy \
            | freemium_granted_not_paid e1
            EARLY | full off legacy | freemium_paid_not_granted e1
            EARLY |  | freemium_paid_not_granted
            LATE | full | grant_without_transaction e1
            LATE |  | nothing
            answer of dated version 1 | full legacy | freemium_undecidable e1
            answer of dual version x | whole legacy | freemium_undecidable e1
            DUAL; answer of twin version 2.0 / answer of twin version 1.9; DUAL | whole legacy \
            | consistent
            answer of twin version 2.1; DUAL | whole legacy | freemium_granted_not_paid e1
            answer of twin version 2.1; DUAL; answer of twin version - | whole legacy \
            | freemium_undecidable e1
            """))
    func goesByDate(scene: [String]) { check(scene, by: Self.catalog) }
}

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

    @Test(
        "A buyer of the app, and no other customer, has the right of the whole group, owed once",
        arguments: scenes(
            """
            ENDED = silver -50..-20
            REFUNDED = ACTIVE cancelled -5
            ACTIVE = silver -10..20
            answer version 1.2 | silver to 20 | consistent | a row of a product never bought
            answer version 2 | gold / gold legacy / silver to 20 legacy | consistent
            answer version 2.0, ACTIVE | silver to 40 / silver | consistent
            answer version 3, ACTIVE | silver to 20 | consistent | not paid for, but subscribed
            answer version 2.0, ACTIVE | gold to 20 | downgrade_not_applied e1 | subscribed, too
            answer version 2.0, ENDED | silver to 20 | consistent, expired
            answer version 1.9, ENDED | silver | consistent, expired | such a row without an end
            answer version 1.2, REFUNDED | silver to 20 | consistent, +refund
            answer version 2 | silver to 20 gift | not_judged | a gift, which covers it
            answer version 2.0.1, ENDED | silver to 20 | expired_still_granted e1
            answer version 10, REFUNDED | silver to 20 | refunded_still_granted e1, +refund
            answer version 2.x, REFUNDED | silver to 20 chain 1 | refunded_still_granted e1, +refund
            answer version 3 | gold | grant_without_transaction e1 | not paid for
            answer version 3 | silver to 20 legacy | freemium_granted_not_paid e1
            answer version 3, ACTIVE | silver to 40 | expiry_too_late e1
            answer version 2.x, ENDED | silver to 20 | unverified, expired | undecidable, and ended
            answer version 2.x, REFUNDED | silver to 20 | unverified, +refund
            answer version 1.7 | silver off to 20 | freemium_paid_not_granted e1
            answer version 1.7, ENDED | silver off to 20 / silver to -20 \
            | freemium_paid_not_granted e1, expired
            answer version 1.7 |  | freemium_paid_not_granted | without a row
            answer version 1.7 | silver off to 20 changed -2, gold off | consistent, \
            freemium_paid_not_granted e2
            """))
    func isGiven(scene: [String]) {
        for finding in check(scene, by: Self.catalog).findings
        where finding.kind == .freemiumPaidNotGranted {
            #expect(finding.productApple == "gold" && finding.explanation.contains("gold"))
            #expect(!finding.explanation.contains("freemium_paid_not_granted"))
            #expect(finding.eventAt == nil && finding.estimate == nil)
        }
    }

    @Test(
        "A bad receipt is critical unless the app's purchase explains the grant",
        arguments: [("2.0", "medium none"), ("2.1", "critical leak")])
    func badReceipt(version: String, weighed: String) throws {
        let judgement = Judge(Self.catalog).judgement(
            "answer version \(version); refused", "silver to 20")
        #expect(try judgement.only(.receiptNotAuthentic).weighed == weighed)
    }
}
