import Testing

@testable import Reconcile

@Suite("A finding")
struct FindingTests {
    @Test("A finding has both sides, the receipt that showed it and the digest of the answer")
    func columns() throws {
        let receipts = answers(.monthly("9", of: "8", bought: -10, cancelled: -4, reason: "1"))
        let row = StoredEntitlement.row("e1", "pro.yearly", expires: 20)
        let finding = try Judge.acme.judgement(of: receipts, [row]).only(.refundedStillGranted)
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
        let finding = try Judge.acme.judgement(of: [], [.row()]).only(.grantWithoutReceipt)
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
            CatalogProduct(id: "pro.m", kind: .autoRenewable, group: "pro"),
            CatalogProduct(id: "pro", kind: .autoRenewable),
            CatalogProduct(id: "a", kind: .nonRenewing, accessDuration: day),
            CatalogProduct(id: "b", kind: .nonRenewing, accessDuration: day),
        ])
        var pass = Transaction.once("4", "b", bought: -40)
        pass.originalID = "3"
        let receipts = answers(
            .monthly("1", of: "1", "pro.m", bought: -10), .monthly("2", of: "2", "pro", bought: -9),
            .once("3", "a", bought: -40), pass)
        let judgement = Judge(catalog: catalog, settings: JudgingSettings(asOf: .asOf))
            .judgement(of: receipts, [])
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
