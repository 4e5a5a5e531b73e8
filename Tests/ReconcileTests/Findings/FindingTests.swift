import Testing

@testable import Reconcile

@Suite("A finding")
struct FindingTests {
    private func finding(
        _ transaction: Transaction, _ row: StoredEntitlement
    ) throws -> Finding {
        let judgement = Judge.acme.judgement(
            of: [.stored(.verified(.showing(transaction)))], [row])
        return try #require(judgement.findings.first { $0.entitlement == row.id })
    }

    @Test("A finding has both sides, the receipt that showed it and the digest of the answer")
    func columns() throws {
        let finding = try finding(
            .monthly("9", of: "8", bought: -10, cancelled: -4, reason: "1"),
            .row("e1", "pro.yearly", expires: 20))
        #expect(finding.user == "u")
        #expect(finding.productStored == "pro.yearly")
        #expect(finding.productApple == "pro.monthly")
        #expect(finding.originalTransaction == "8")
        #expect(finding.transaction == "9")
        #expect(finding.receipt == "r1")
        #expect(finding.environment == .production)
        #expect(finding.bundle == "acme")
        #expect(finding.ownership == .purchased)
        #expect(finding.storedActive == true)
        #expect(finding.storedExpiresAt == .day(20))
        #expect(finding.appleState == .revoked)
        #expect(finding.appleExpiresAt == .day(-4))
        #expect(finding.eventAt == .day(-4))
        #expect(finding.reason == "app_issue")
        #expect(finding.proposedAction == .revoke)
    }

    @Test("Without Apple's side the Apple state is `none`")
    func withoutGrantor() throws {
        let judgement = Judge.acme.judgement(of: [], [.row()])
        let finding = try #require(judgement.findings.first)
        #expect(finding.appleState == AppleState.none)
        #expect(finding.receipt == nil && finding.transaction == nil && finding.bundle == nil)
        #expect(finding.eventAt == .day(-10))
    }

    @Test("Different lists of parts give different ids")
    func identity() {
        func id(_ user: UserID, _ reference: String) -> String {
            Finding(
                kind: .expired, weight: FindingKind.expired.weight, user: user, explanation: "",
                reference: reference
            ).identity.id
        }
        #expect(id("ab", "c") != id("a", "bc"))
        #expect(id("ab", "c") == id("ab", "c"))
    }

    @Test("Two findings of one user differ in their right or their product")
    func references() {
        let catalog = Catalog(products: [
            CatalogProduct(id: "pro.m", kind: .autoRenewable, group: "pro"),
            CatalogProduct(id: "pro", kind: .autoRenewable),
            CatalogProduct(
                id: "a", kind: .nonRenewing, accessDuration: CalendarInterval(days: 1)),
            CatalogProduct(
                id: "b", kind: .nonRenewing, accessDuration: CalendarInterval(days: 1)),
        ])
        var pass = Transaction.once("4", "b", bought: -40)
        pass.originalID = "3"
        let receipt = Receipt.showing(
            .monthly("1", of: "1", "pro.m", bought: -10), .monthly("2", of: "2", "pro", bought: -9),
            .once("3", "a", bought: -40), pass)
        let judgement = Judge(catalog: catalog, settings: JudgingSettings(asOf: .asOf))
            .judgement(of: [.stored(.verified(receipt))], [])
        #expect(judgement.kinds == [.activeNotGranted, .activeNotGranted, .expired, .expired])
        #expect(Set(judgement.findings.map(\.identity.id)).count == 4)
    }

    @Test(
        "A kind has a fixed severity and direction, or a lower pair that depends on the user",
        arguments: FindingKind.allCases)
    func constants(kind: FindingKind) {
        let depends: Set<FindingKind> = [
            .receiptNotAuthentic, .receiptMalformed, .receiptForOtherApp,
        ]
        #expect((kind.lesserWeight != nil) == depends.contains(kind))
        guard let lesser = kind.lesserWeight else { return }
        #expect(kind.severity.rank < lesser.severity.rank && lesser.direction == .none)
    }
}
