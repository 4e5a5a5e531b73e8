import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A purchase, a paid app's receipt and an unknown product seen in a user's evidence")
struct SightingTests {
    /// The best grantor is active, else in grace; of the row's product, else its chain, which may
    /// be of another right; else the last one, and of equals the smallest id.
    @Test(
        "Each own purchase is kept once, with the granted row whose best grantor it is, if any",
        arguments: choices(
            """
            pro -40, pro -10, solo -10 of 3, pass -1, unlock -1 |  | 1, 3, 4, 5
            pass -1 | pass to 29 | 1 e1
            pro 1 / coins -1 / pass.unknown -1 / nobody.knows -1 / pro -10 family |  |
            coins -1, pro -10 family | coins to 20, pro to 20 |
            unlock -10 family / answer sandbox, pro -10 / answer for other, pro -10 |  |
            pro -10 upgraded / nobody.knows -10..20 |  | 1
            pro -10 | pro off / pro to -1 / pro to 20 gift / pro to 20 legacy | 1
            pro -10 | pro to 20 changed 0.1 / solo to 20 | 1
            max -20, pro -31 of 2, renewal of 2 grace 40 | pro         | 1 e1, 2
            pro -31, max -90 of 2, renewal of 2 grace 40 | pro chain 1 | 1, 2 e1
            unlock -60, unlock -5                        | unlock      | 1, 2 e1
            yearly -5, pro -20 of 2                      | pro         | 1, 2 e1
            yearly -5, pro -20 of 2, pro -10 of 3        | pro chain 2 | 1, 2 e1, 3
            pro -20 id 2 of 2, pro -10 id 3 of 3         | pro         | 2, 3 e1
            pro -10 id 4 of 4, pro -10 id 3 of 3         | pro         | 3 e1, 4
            solo -10 id 7 of 7                           | pro chain 7 | 7 e1
            solo -10 id 7 of 7                           | pro         | 7
            """))
    func purchases(cells: [String]) {
        let kept = Judge.acme.judgement(cells[0], cells[1]).purchases.map { purchase in
            #expect(purchase.user == "u")
            return purchase.originalID.text + (purchase.grant.map { " \($0.entitlement)" } ?? "")
        }
        #expect(kept.joined(separator: ", ") == cells[2])
    }

    @Test("A purchase has the granted row whose best grantor it is; if shared it is a finding")
    func granted() throws {
        let seen = Judge.acme.judgement("pro -40 id 9 of 8 purchased", "pro to 20, yearly to 20")
        let grant = PurchaseSighting.Grant(
            entitlement: "e1", receipt: "r1", product: "pro.monthly", transaction: "9",
            ownership: .purchased, state: .expired, endsAt: .day(-10), reason: "unknown",
            bundle: "acme")
        #expect(seen.purchases.map(\.grant) == [grant])
        let running = Judge.acme.judgement("pro -10", "pro to 20").purchases.first?.grant
        #expect(running?.state == .active && running?.endsAt == .day(20) && running?.reason == nil)
        let shared = SharedPurchase(
            user: "ann", originalID: "8", grant: grant, users: 3, otherUser: "bob",
            evidenceSHA256: "ab")
        #expect(
            shared.finding.told == """
                shared_original_transaction high leak investigate, user ann, receipt r1, \
                productApple pro.monthly, originalTransaction 8, transaction 9, environment \
                production, bundle acme, ownership purchased, appleState expired, appleExpiresAt \
                day -10, reason unknown, evidenceSHA256 ab, reference 8: The purchase of \
                pro.monthly with the original transaction 8 (expired, end \(Instant.day(-10))), by \
                which entitlement e1 of this user is granted, is in the receipts of 3 users, one \
                of the others being bob: it was paid for once, and receipts cannot tell who paid.
                """)
    }

    /// The last cell has each sighting: its receipt, and the row that relies on it with its end.
    @Test(
        "Every receipt that says paid, or may, is kept, with the granted row that relies on it",
        arguments: choices(
            """
            answer version 4.0; answer version 4.0 |  | r1, r2
            answer version 4.0; answer version 4.0 | full to 20 legacy \
            | r1 e1 full 20, r2 e1 full 20
            answer version 5.0 / answer unversioned / answer iOS6 version 4.0 |  |
            answer for other version 4.0 |  |
            answer sandbox version 4.0 / unchecked / gone | full legacy | r1
            answer version 4.0 | full off legacy / full / unlock legacy | r1
            answer version 4.0 | full legacy changed 0.1 | r1
            """))
    func receipts(cells: [String]) {
        // Without a paid app none is kept.
        #expect(Judge(Catalog()).judgement(cells[0], cells[1]).receipts.isEmpty)
        let seen = Judge.acme.judgement(cells[0], cells[1]).receipts.map { sighting in
            #expect(sighting.user == "u" && sighting.bundle == "acme")
            let grant = sighting.grant
            let row = grant.map { " \($0.entitlement) \($0.product)" } ?? ""
            return sighting.receipt.text + row + (grant?.expiresAt.map { " \($0.inDays)" } ?? "")
        }
        #expect(seen.joined(separator: ", ") == cells[2])
    }

    @Test("A shared receipt becomes one finding a row, with the receipt and the row")
    func sharedReceipt() {
        let sighting = ReceiptSighting(
            user: "ann", receipt: "r1", bundle: "acme", digest: [0xAB, 0x01])
        let grant = ReceiptSighting.Grant(entitlement: "e1", product: "full", expiresAt: nil)
        let finding = SharedReceipt(sighting, grant: grant, users: 2, otherUser: "bob").finding
        #expect(
            finding.told.hasPrefix(
                """
                shared_receipt high leak investigate, user ann, entitlement e1, receipt r1, \
                productStored full, environment production, bundle acme, storedActive true, \
                appleState none, reference ab01:
                """))
        #expect(finding.explanation.contains("is stored for 2 users, the other being bob"))
    }

    @Test(
        "Users whose right-giving answers show an unknown product are counted, and so are rows",
        arguments: choices(
            """
            x -9, y -9..21 of 2, x -8, future 1, coins -8 | x gift, z gift, x gift, coins gift \
            | x 1 2, y 1 0, z 0 1
            x.monthly -10                     |  | x.monthly 1 0
            answer lifetime theme, theme -400 |  | theme 1 0
            x -40..-10, y -10..20             |  | x 1 0, y 1 0
            answer sandbox, x -9 / answer for other, x -9 |  |
            """))
    func counted(cells: [String]) {
        let seen = Judge.acme.judgement(cells[0], cells[1]).unknownProducts
        let found = seen.map { "\($0.product) \($0.users) \($0.rows)" }
        #expect(found.joined(separator: ", ") == cells[2])
    }

    @Test("Counts of several users add up, and an unknown product is one finding without a user")
    func unknownProduct() {
        func seen(_ product: ProductID, _ users: Int, _ rows: Int) -> UnknownProduct {
            UnknownProduct(product: product, users: users, rows: rows)
        }
        let sums = [seen("y", 1, 2), seen("x", 0, 1), seen("y", 1, 0)].combined
        #expect(sums == [seen("x", 0, 1), seen("y", 2, 2)])
        #expect(
            seen("x", 1, 2).finding.told == """
                unknown_product medium none investigate, productApple x, appleState none, \
                reference x: Apple shows the product x in the receipts of 1 user, and 2 stored \
                entitlements name it, but the view catalog_products does not have it: it is judged \
                only where Apple shows an expiry, or signed receipts name its kind.
                """)
    }
}

extension Finding {
    fileprivate var told: String { "\(kind.rawValue) \(facts): \(explanation)" }
}
