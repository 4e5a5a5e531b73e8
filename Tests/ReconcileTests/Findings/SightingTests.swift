import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A purchase seen in a user's receipts")
struct PurchaseSightingTests {
    @Test(
        "Each own purchase of this app is kept once, without a grant if no granted row is its own",
        arguments: textTriples(
            """
            pro -40, pro -10, solo -10 of 3, pass -1, unlock -1 |                       | 1 3 4 5
            pro 1                                               |                       |
            coins -1                                            |                       |
            pass.unknown -1                                     |                       |
            nobody.knows -1                                     |                       |
            pro -10 family                                      |                       |
            unlock -10 family                                   |                       |
            answer sandbox, pro -10                             |                       |
            answer for other, pro -10                           |                       |
            pro -10 upgraded                                    |                       | 1
            nobody.knows -10..20                                |                       | 1
            pro -10                                             | pro off               | 1
            pro -10                                             | pro to -1             | 1
            pro -10                                             | pro to 20 gift        | 1
            pro -10                                             | pro to 20 legacy      | 1
            pro -10                                             | pro to 20 changed 0.1 | 1
            pro -10                                             | solo to 20            | 1
            """))
    func kept(receipt: String, row: String, ids: String) {
        let kept = ids.split(separator: " ").map { id in
            PurchaseSighting(user: "u", originalID: TransactionID(String(id)))
        }
        #expect(Judge.acme.judgement(receipt, row).purchases == kept)
    }

    @Test("A purchase has the granted row whose best grantor it is, in any state")
    func granted() {
        let seen = Judge.acme.judgement("pro -40 id 9 of 8 purchased", "pro to 20, yearly to 20")
        let grant = PurchaseSighting.Grant(
            entitlement: "e1", receipt: "r1", product: "pro.monthly", transaction: "9",
            ownership: .purchased, state: .expired, endsAt: .day(-10), reason: "unknown",
            bundle: "acme")
        #expect(seen.purchases.map(\.grant) == [grant])
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
    /// The last cell has each sighting: its receipt, and the row that relies on it with its end.
    @Test(
        "Every receipt that says paid, or may, is kept, with the granted row that relies on it",
        arguments: textTriples(
            """
            answer version 4.0; answer version 4.0 |                         | r1, r2
            answer version 4.0; answer version 4.0 | full to 20 legacy \
            | r1 e1 full 20, r2 e1 full 20
            answer version 5.0                     |                         |
            answer unversioned                     |                         |
            answer for other version 4.0           |                         |
            answer iOS6 version 4.0                |                         |
            answer sandbox version 4.0             | full legacy             | r1
            unchecked                              | full legacy             | r1
            gone                                   | full legacy             | r1
            answer version 4.0                     | full off legacy         | r1
            answer version 4.0                     | full                    | r1
            answer version 4.0                     | unlock legacy           | r1
            answer version 4.0                     | full legacy changed 0.1 | r1
            """))
    func kept(receipts: String, row: String, expected: String) {
        let seen = Judge.acme.judgement(receipts, row).receipts.map { sighting in
            #expect(sighting.user == "u" && sighting.bundle == "acme")
            let grant = sighting.grant.map { grant in
                " \(grant.entitlement) \(grant.product)"
                    + (grant.expiresAt == .day(20) ? " 20" : "")
            }
            return sighting.receipt.text + (grant ?? "")
        }
        #expect(seen.joined(separator: ", ") == expected)
    }

    @Test(
        "Without a paid app no receipt is kept",
        arguments: ["answer sandbox version 4.0", "unchecked", "gone"])
    func free(receipt: String) {
        let free = Judge(catalog: Catalog(), settings: Judge.acme.settings)
        #expect(free.judgement(receipt, "full legacy").receipts.isEmpty)
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
    @Test(
        "Users whose right-giving answers show it are counted, and so are rows",
        arguments: textTriples(
            """
            x -9, y -9..21 of 2, x -8, future 1, coins -8 | x gift, z gift, x gift, coins gift \
            | x 1 2, y 1 0, z 0 1
            x.monthly -10                     |  | x.monthly 1 0
            answer lifetime theme, theme -400 |  | theme 1 0
            x -40..-10, y -10..20             |  | x 1 0, y 1 0
            answer sandbox, x -9              |  |
            answer for other, x -9            |  |
            """))
    func counted(receipts: String, rows: String, counts: String) {
        let seen = Judge.acme.judgement(receipts, rows).unknownProducts
        let found = seen.map { "\($0.product) \($0.users) \($0.rows)" }
        #expect(found.joined(separator: ", ") == counts)
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
