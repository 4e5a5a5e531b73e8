import Testing

@testable import Reconcile

@Suite("A purchase seen in a user's receipts")
struct PurchaseSightingTests {
    private func sightings(
        _ transactions: Transaction..., rows: [StoredEntitlement] = [],
        environment: StoreEnvironment = .production, bundle: BundleID = "acme"
    ) -> [PurchaseSighting] {
        var receipt = Receipt.showing(bundle: bundle, environment: environment)
        receipt.transactions = transactions
        return Judge.acme.judgement(of: [.stored(.verified(receipt))], rows).purchases
    }

    @Test("Each original id is kept once, without a grant if nothing is granted by it")
    func bare() {
        let seen = sightings(
            .monthly("1", bought: -40), .monthly("2", bought: -10),
            .monthly("3", of: "3", "solo.monthly", bought: -10), .once("4", "pass", bought: -1),
            .once("5", "unlock", bought: -1), .monthly("6", of: "6", bought: 1),
            .once("7", "coins", bought: -1), .once("8", "pass.unknown", bought: -1),
            .once("9", "nobody.knows", bought: -1))
        #expect(
            seen == ["1", "3", "4", "5"].map { PurchaseSighting(user: "u", originalID: $0) })
    }

    @Test("A purchase of a family member, of the sandbox or of another app is not kept")
    func left() {
        #expect(sightings(.monthly(bought: -10, isFamilyShared: true)).isEmpty)
        #expect(sightings(.once("1", "unlock", bought: -10, isFamilyShared: true)).isEmpty)
        #expect(sightings(.monthly(bought: -10), environment: .sandbox).isEmpty)
        #expect(sightings(.monthly(bought: -10), bundle: "other").isEmpty)
    }

    @Test("A purchase is kept although all of it was upgraded or its product is unknown")
    func kept() {
        #expect(sightings(.monthly(bought: -10, isUpgraded: true)).map(\.originalID) == ["1"])
        let unknown = Transaction.monthly("1", of: "1", "nobody.knows", bought: -10)
        #expect(sightings(unknown).map(\.originalID) == ["1"])
    }

    @Test("A purchase has the granted row whose best grantor it is, in any state")
    func granted() throws {
        let seen = sightings(
            .monthly("9", of: "8", bought: -40),
            rows: [.row("e2", "pro.yearly", expires: 20), .row("e1", expires: 20)])
        let grant = try #require(seen.first?.grant)
        #expect(grant.entitlement == "e1" && grant.receipt == "r1")
        #expect(grant.product == "pro.monthly" && grant.transaction == "9")
        #expect(grant.ownership == .purchased && grant.state == .expired)
        #expect(grant.endsAt == .day(-10) && grant.reason == "unknown")
        #expect(grant.bundle == "acme")
    }

    @Test(
        "A row that is not granted, of another source, or in flux is not its grant",
        arguments: [
            StoredEntitlement.row(isActive: false), .row(expires: -1),
            .row(expires: 20, source: .other("promo")), .row(expires: 20, source: .legacyPaid),
            .row(expires: 20, updated: 0.1), .row("e1", "solo.monthly", expires: 20),
        ])
    func notGranted(row: StoredEntitlement) {
        let seen = sightings(.monthly(bought: -10), rows: [row])
        #expect(seen == [PurchaseSighting(user: "u", originalID: "1")])
    }

    @Test("A shared purchase becomes one finding a user, with the columns of its grantor")
    func finding() {
        let grant = PurchaseSighting.Grant(
            entitlement: "e1", receipt: "r1", product: "pro.monthly", transaction: "9",
            ownership: .purchased, state: .active, endsAt: .day(20), reason: nil, bundle: "acme")
        let finding = SharedPurchase(
            user: "ann", originalID: "8", grant: grant, users: 3, otherUser: "bob",
            evidenceSHA256: "ab"
        ).finding
        #expect(finding.kind == .sharedOriginalTransaction)
        #expect(finding.severity == .high && finding.direction == .leak)
        #expect(finding.proposedAction == .investigate)
        #expect(finding.user == "ann" && finding.entitlement == nil && finding.reference == "8")
        #expect(finding.originalTransaction == "8" && finding.transaction == "9")
        #expect(finding.appleState == .active && finding.appleExpiresAt == .day(20))
        #expect(finding.environment == .production && finding.bundle == "acme")
        #expect(finding.receipt == "r1" && finding.evidenceSHA256 == "ab")
        #expect(
            finding.explanation
                == "The purchase of pro.monthly with the original transaction 8 (active, end"
                + " 2026-12-10T02:00:00Z), by which entitlement e1 of this user is granted, stands"
                + " in the receipts of 3 users, one of the others being bob: it was paid for once,"
                + " and receipts cannot tell who paid.")
    }
}
