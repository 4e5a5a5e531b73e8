import Testing

@testable import Reconcile

@Suite("A purchase seen in a user's receipts")
struct PurchaseSightingTests {
    private static let bare = PurchaseSighting(user: "u", originalID: "1")

    private func sightings(
        _ receipt: Receipt, _ rows: StoredEntitlement...
    ) -> [PurchaseSighting] { Judge.acme.judgement(of: verified(receipt), rows).purchases }

    @Test("Each original id is kept once, without a grant if nothing is granted by it")
    func kept() {
        let seen = sightings(
            .showing(
                .monthly("1", bought: -40), .monthly("2", bought: -10),
                .monthly("3", of: "3", "solo.monthly", bought: -10), .once("4", "pass", bought: -1),
                .once("5", "unlock", bought: -1), .monthly("6", of: "6", bought: 1),
                .once("7", "coins", bought: -1), .once("8", "pass.unknown", bought: -1),
                .once("9", "nobody.knows", bought: -1)))
        #expect(
            seen == ["1", "3", "4", "5"].map { PurchaseSighting(user: "u", originalID: $0) })
    }

    @Test(
        "A purchase of a family member, of the sandbox or of another app is not kept",
        arguments: [
            Receipt.showing(.monthly(bought: -10, isFamilyShared: true)),
            .showing(.once("1", "unlock", bought: -10, isFamilyShared: true)),
            .showing(.monthly(bought: -10), environment: .sandbox),
            .showing(.monthly(bought: -10), bundle: "other"),
        ])
    func left(receipt: Receipt) { #expect(sightings(receipt).isEmpty) }

    @Test(
        "A purchase is kept although all of it was upgraded or its product is unknown",
        arguments: [
            Transaction.monthly(bought: -10, isUpgraded: true),
            .monthly("1", of: "1", "nobody.knows", bought: -10),
        ])
    func keptAnyway(transaction: Transaction) {
        #expect(sightings(.showing(transaction)).map(\.originalID) == ["1"])
    }

    @Test("A purchase has the granted row whose best grantor it is, in any state")
    func granted() {
        let seen = sightings(
            .showing(.monthly("9", of: "8", bought: -40)),
            .row("e2", "pro.yearly", expires: 20), .row("e1", expires: 20))
        let grant = PurchaseSighting.Grant(
            entitlement: "e1", receipt: "r1", product: "pro.monthly", transaction: "9",
            ownership: .purchased, state: .expired, endsAt: .day(-10), reason: "unknown",
            bundle: "acme")
        #expect(seen.map(\.grant) == [grant])
    }

    @Test(
        "A row that is not granted, of another source, or in flux is not its grant",
        arguments: [
            StoredEntitlement.row(isActive: false), .row(expires: -1),
            .row(expires: 20, source: .other("promo")), .row(expires: 20, source: .legacyPaid),
            .row(expires: 20, updated: 0.1), .row("e1", "solo.monthly", expires: 20),
        ])
    func notGranted(row: StoredEntitlement) {
        #expect(sightings(.showing(.monthly(bought: -10)), row) == [Self.bare])
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
        #expect(finding.kind == .sharedOriginalTransaction && finding.weighed == "high leak")
        #expect(finding.proposedAction == .investigate)
        #expect(finding.user == "ann" && finding.entitlement == nil && finding.reference == "8")
        #expect(finding.originalTransaction == "8" && finding.transaction == "9")
        #expect(finding.appleState == .active && finding.appleExpiresAt == .day(20))
        #expect(finding.environment == .production && finding.bundle == "acme")
        #expect(finding.receipt == "r1" && finding.evidenceSHA256 == "ab")
        #expect(
            finding.explanation
                == "The purchase of pro.monthly with the original transaction 8 (active, end"
                + " 2026-12-10T02:00:00Z), by which entitlement e1 of this user is granted, is in"
                + " the receipts of 3 users, one of the others being bob: it was paid for once,"
                + " and receipts cannot tell who paid.")
    }
}

@Suite("A receipt that proves the app was paid for")
struct ReceiptSightingTests {
    private static let bare = ReceiptSighting(user: "u", receipt: "r1", bundle: "acme")
    private static let premium = StoredEntitlement.row("e1", "full", source: .legacyPaid)

    @Test("Every receipt that says paid is kept, with or without a row that relies on it")
    func kept() {
        let receipts = ["r1", "r2"].map { id in
            ReceiptEvidence.stored(ReceiptID(id), .verified(.showing(version: "4.0")))
        }
        let second = ReceiptSighting(user: "u", receipt: "r2", bundle: "acme")
        #expect(Judge.acme.judgement(of: receipts, []).receipts == [Self.bare, second])
        let row = StoredEntitlement.row("e1", "full", expires: 20, source: .legacyPaid)
        let grant = ReceiptSighting.Grant(entitlement: "e1", product: "full", expiresAt: .day(20))
        #expect(Judge.acme.judgement(of: receipts, [row]).receipts.map(\.grant) == [grant, grant])
    }

    @Test(
        "A receipt that does not say paid is not kept",
        arguments: [
            Receipt.showing(version: "5.0"), .showing(version: nil),
            .showing(bundle: "other", version: "4.0"), .showing(style: .iOS6, version: "4.0"),
        ])
    func left(receipt: Receipt) {
        #expect(Judge.acme.judgement(of: verified(receipt), []).receipts.isEmpty)
    }

    @Test(
        "A receipt of a paid app that gives this user nothing is kept without a row",
        arguments: [
            Validation.verified(.showing(environment: .sandbox, version: "4.0")),
            .unverified(.timeout), .rejected(.accountGone),
        ])
    func givesNothing(validation: Validation) {
        let judgement = Judge.acme.judgement(of: [.stored(validation)], [Self.premium])
        #expect(judgement.receipts == [Self.bare])
        let free = Judge(catalog: Catalog(), settings: JudgingSettings(asOf: .asOf))
        #expect(free.judgement(of: [.stored(validation)], [Self.premium]).receipts.isEmpty)
    }

    @Test(
        "A row that is not granted, of another source or product, or in flux does not rely on it",
        arguments: [
            StoredEntitlement.row("e1", "full", isActive: false, source: .legacyPaid),
            .row("e1", "full", source: .appStore), .row("e1", "unlock", source: .legacyPaid),
            premium.updated(0.1),
        ])
    func notGranted(row: StoredEntitlement) {
        #expect(Judge.acme.judgement(of: got("4.0"), [row]).receipts.map(\.grant) == [nil])
    }

    @Test("A shared receipt becomes one finding a row, with the receipt and the row")
    func finding() {
        let sighting = ReceiptSighting(
            user: "ann", receipt: "r1", bundle: "acme", digest: [0xAB, 0x01])
        let grant = ReceiptSighting.Grant(entitlement: "e1", product: "full", expiresAt: nil)
        let finding = SharedReceipt(sighting, grant: grant, users: 2, otherUser: "bob").finding
        #expect(finding.kind == .sharedReceipt && finding.direction == .leak)
        #expect(finding.user == "ann" && finding.entitlement == "e1")
        #expect(finding.receipt == "r1" && finding.bundle == "acme")
        #expect(finding.reference == "ab01" && finding.productStored == "full")
        #expect(finding.environment == .production && finding.storedActive == true)
        #expect(finding.explanation.contains("is stored for 2 users, the other being bob"))
    }
}

@Suite("A product that the catalogue lacks")
struct UnknownProductTests {
    @Test("Users whose right-giving answers show it are counted, and so are rows")
    func counted() {
        let receipts = answers(
            .once("1", "x", bought: -9), .monthly("2", of: "2", "y", bought: -9),
            .once("3", "x", bought: -8), .once("4", "future", bought: 1),
            .once("5", "coins", bought: -8))
        let rows = ["x", "z", "x", "coins"].enumerated().map { place, product in
            StoredEntitlement.row(
                EntitlementID("e\(place)"), ProductID(product), source: .other("promo"))
        }
        #expect(
            Judge.acme.judgement(of: receipts, rows).unknownProducts == [
                UnknownProduct(product: "x", users: 1, rows: 2),
                UnknownProduct(product: "y", users: 1, rows: 0),
                UnknownProduct(product: "z", users: 0, rows: 1),
            ])
    }

    @Test(
        "A sandbox answer, or one for another app, does not show it",
        arguments: [
            Receipt.showing(.once("1", "x", bought: -9), environment: .sandbox),
            .showing(.once("1", "x", bought: -9), bundle: "other"),
        ])
    func rightGivingOnly(receipt: Receipt) {
        #expect(Judge.acme.judgement(of: verified(receipt), []).unknownProducts.isEmpty)
    }

    @Test("Counts of several users add up")
    func combined() {
        let seen = [("y", 1, 2), ("x", 0, 1), ("y", 1, 0)].map { product, users, rows in
            UnknownProduct(product: ProductID(product), users: users, rows: rows)
        }
        #expect(
            seen.combined == [
                UnknownProduct(product: "x", users: 0, rows: 1),
                UnknownProduct(product: "y", users: 2, rows: 2),
            ])
    }

    @Test("The product becomes one finding without a user")
    func finding() {
        let finding = UnknownProduct(product: "x", users: 1, rows: 2).finding
        #expect(finding.kind == .unknownProduct && finding.user == nil)
        #expect(finding.weighed == "medium none" && finding.proposedAction == .investigate)
        #expect(finding.productApple == "x" && finding.reference == "x")
        #expect(
            finding.explanation
                == "Apple shows the product x in the receipts of 1 user, and 2 stored entitlements"
                + " name it, but the view catalog_products does not have it: it is judged"
                + " only where Apple shows an expiry, or signed receipts name its kind.")
    }
}
