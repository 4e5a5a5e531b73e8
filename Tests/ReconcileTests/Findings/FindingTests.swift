import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A finding")
struct FindingTests {
    @Test("A finding has both sides, the receipt that showed it and the digest of the answer")
    func columns() throws {
        let finding = try Judge.acme.judgement(
            "pro -10 id 9 of 8 cancelled -4 reason 1 purchased", "yearly to 20"
        ).only(.refundedStillGranted)
        #expect(finding.user == "u" && finding.entitlement == "e1")
        #expect(finding.productStored == "pro.yearly" && finding.productApple == "pro.monthly")
        #expect(finding.originalTransaction == "8" && finding.transaction == "9")
        #expect(finding.receipt == "r1" && finding.bundle == "acme")
        #expect(finding.environment == .production && finding.ownership == .purchased)
        #expect(finding.storedActive == true && finding.storedExpiresAt == .day(20))
        #expect(finding.appleState == .revoked && finding.appleExpiresAt == .day(-4))
        #expect(finding.eventAt == .day(-4) && finding.reason == "app_issue")
        #expect(finding.proposedAction == .revoke)
    }

    @Test("Without Apple's side the Apple state is `none`")
    func withoutGrantor() throws {
        let finding = try Judge.acme.judgement("", "pro").only(.grantWithoutReceipt)
        #expect(finding.appleState == AppleState.none)
        #expect(finding.receipt == nil && finding.transaction == nil && finding.bundle == nil)
        #expect(finding.eventAt == .day(-10))
    }

    @Test("Different lists of parts give different ids")
    func identity() {
        func id(_ user: UserID, _ reference: String) -> String {
            FindingIdentity(kind: .expired, user: user, entitlement: nil, reference: reference).id
        }
        #expect(id("ab", "c") != id("a", "bc"))
        #expect(id("ab", "c") == id("ab", "c"))
    }

    @Test("Two findings of one user differ in their right or their product")
    func references() {
        let day = CalendarInterval(days: 1)
        let catalog = Catalog(products: [
            CatalogProduct(id: "team.m", kind: .autoRenewable, group: "team"),
            CatalogProduct(id: "team", kind: .autoRenewable),
            CatalogProduct(id: "a", kind: .nonRenewing, accessDuration: day),
            CatalogProduct(id: "b", kind: .nonRenewing, accessDuration: day),
        ])
        let judgement = Judge(catalog: catalog, settings: Judge.acme.settings).judgement(
            "team.m -10..20, team -9..21 of 2, a -40 id 3, b -40 id 4 of 3")
        #expect(judgement.kinds == [.activeNotGranted, .activeNotGranted, .expired, .expired])
        #expect(Set(judgement.findings.map(\.identity.id)).count == 4)
    }

    @Test("Only kinds whose weight depends on the user have a lesser weight, which accuses nobody")
    func lesserWeights() {
        let lesser = FindingKind.allCases.filter { $0.lesserWeight != nil }
        #expect(Set(lesser) == [.receiptNotAuthentic, .receiptMalformed, .receiptForOtherApp])
        for kind in lesser {
            #expect(kind.lesserWeight.map { kind.severity.rank < $0.severity.rank } == true)
            #expect(kind.lesserWeight?.direction == Direction.none)
        }
    }
}

@Suite("An event")
struct EventTests {
    @Test(
        "Refunds and ends of the last months are recorded for any product",
        arguments: scenes(
            """
            coins -9 cancelled -5                |  | +refund | a refund of coins
            nobody.knows -9 cancelled -5         |  | +refund | a refund of an unknown product
            pro -10 cancelled -4 family |  | +family | withdrawn family sharing, which is no refund
            pro -40                              |  | expired | an expiry of a chain
            pass -40                             |  | expired | an expiry of a pass
            pro -120                             |  | expired | an expiry at the horizon
            pro -40, max -10 of 2 | max to 20 | consistent, expired | an expiry beside another chain
            pro -10 cancelled -4 upgraded        |  | nothing | an upgrade
            pro -120.01                          |  | nothing | an expiry beyond the horizon
            coins -99 cancelled -90.01           |  | nothing | a refund beyond the horizon
            answer sandbox, pro -10 cancelled -4 |  | nothing | a refund in the sandbox
            answer sandbox, pro -40              |  | nothing | an expiry in the sandbox
            """))
    func isRecorded(row: AnsweredCase) { row.check() }

    @Test("An event has the transaction or the chain, the first receipt, and a refund a reason")
    func columns() throws {
        let refunds = Judge.acme.judgement("pro -10 cancelled -4 reason 1; pro -10 cancelled -4")
        let refund = try refunds.only(.refundRecorded)
        #expect(refund.reason == "app_issue" && refund.reference == "1" && refund.receipt == "r1")
        #expect(try Judge.acme.judgement("pro -40").only(.expired).originalTransaction == "1")
    }
}

/// A refund's reference is its line item, else an id. In some receipts two purchases share one: a
/// repaired receipt, or a product bought again under another's id.
@Suite("Two purchases that share a refund reference")
struct RefundsAlikeTests {
    /// The original id of a permanent purchase is another purchase's own id; and one of two refunds
    /// is older than the event horizon.
    @Test(
        "Two refunds with one reference are reported once, for the first purchase",
        arguments: textPairs(
            """
            pro -10 id 1 cancelled -4 order 77  | max -10 id 3 of 3 cancelled -4 order 77
            coins -9 id 2 cancelled -5 order 77 | coins -8 id 3 cancelled -5 order 77
            coins -9 id 2 cancelled -5          | unlock -8 id 4 of 2 cancelled -5
            coins -9 id 2 cancelled -5 order 77 | coins -99 id 3 cancelled -95 order 77
            """))
    func refunds(_ first: String, _ second: String) throws {
        for order in ["\(first), \(second)", "\(second), \(first)"] {
            let judged = Judge.acme.judgement(order)
            #expect(judged.outcome == ["refund_recorded"])
            let id = try judged.only(.refundRecorded).transaction
            #expect(id == (first.hasPrefix("pro") ? "1" : "2"))
            #expect(judged.remembered.isEmpty)
        }
    }

    @Test("The refund is not reversed while one of the two purchases is cancelled")
    func reversals() {
        let told = UserHistory([.refund("77", cancelled: -5)])
        let both = "coins -9 id 2 cancelled -5 order 77, coins -8 id 3 order 77"
        #expect(Judge.acme.judgement(both, after: told).kinds.isEmpty)
        let one = Judge.acme.judgement("coins -8 id 3 order 77", after: told)
        #expect(one.kinds == [.refundReversed])
    }
}
