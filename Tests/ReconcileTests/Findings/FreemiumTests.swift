import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An app that became free")
struct FreemiumTests {
    /// `dated` was sold until 100 days ago and has no last paid version; `dual` has both. `twin`
    /// has a version only, and the premium product of `dual`.
    private static let untilDate = Catalog(
        "full non_consumable, whole non_consumable",
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
            UNPAID = freemium_granted_not_paid e1
            DUAL = BOTH 5 got -10
            BOTH = answer of dual version
            TWIN = answer of twin version
            EARLY = answer of dated version 77 got -300
            LATE = answer of dated version 1 got -50
            answer of dated version 77 got -100.001 | full legacy | consistent | got before it
            answer of dated version - got -300 | full legacy | consistent
            EARLY | full | consistent
            BOTH 3.4.9 got -10 / BOTH 3.b got -300 | whole legacy | consistent
            answer of dated version 1 got -100 / LATE | full legacy | UNPAID
            BOTH 3.6 got -300 / BOTH - got -10 / TWIN 2.1; DUAL | whole legacy | UNPAID
            EARLY | full off legacy | freemium_paid_not_granted e1
            EARLY |  | freemium_paid_not_granted
            LATE | full | grant_without_transaction e1
            LATE |  | nothing
            answer of dated version 1 | full legacy | freemium_undecidable e1
            BOTH x / TWIN 2.1; DUAL; TWIN - | whole legacy | freemium_undecidable e1
            DUAL; TWIN 2.0 / TWIN 1.9; DUAL | whole legacy | consistent
            """))
    func goesByDate(scene: [String]) { check(scene, by: Self.untilDate) }

    /// Paid for up to version 2.0: a buyer has the right of `gold`'s group, and so of `silver`.
    private static let ofGroup = Catalog(
        """
        gold auto_renewable group shop level 1 1-month price 9.00 in USD,
        silver auto_renewable group shop level 2
        """,
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
            OWED = freemium_paid_not_granted
            answer version 1.7 | silver off to 20 | OWED e1
            answer version 1.7, ENDED | silver off to 20 / silver to -20 | OWED e1, expired
            answer version 1.7 |  | OWED | without a row
            answer version 1.7 | silver off to 20 changed -2, gold off | consistent, OWED e2
            """))
    func isGiven(scene: [String]) {
        for finding in check(scene, by: Self.ofGroup).findings
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
        let judgement = Judge(Self.ofGroup).judgement(
            "answer version \(version); refused", "silver to 20")
        #expect(try judgement.only(.receiptNotAuthentic).weighed == weighed)
    }
}
