import Testing

@testable import Reconcile

@Suite("A product outside the catalogue")
struct UnknownProductTests {
    @Test("Users whose right-giving answers show it are counted, and so are rows")
    func counted() {
        let receipt = Receipt.showing(
            .once("1", "x", bought: -9), .monthly("2", of: "2", "y", bought: -9),
            .once("3", "x", bought: -8), .once("4", "future", bought: 1),
            .once("5", "coins", bought: -8))
        let rows = ["x", "z", "x", "coins"].enumerated().map { place, product in
            StoredEntitlement.row(
                EntitlementID("e\(place)"), ProductID(product), source: .other("promo"))
        }
        let seen = Judge.acme.judgement(of: [.stored(.verified(receipt))], rows).unknownProducts
        #expect(
            seen == [
                UnknownProduct(product: "x", users: 1, rows: 2),
                UnknownProduct(product: "y", users: 1, rows: 0),
                UnknownProduct(product: "z", users: 0, rows: 1),
            ])
    }

    @Test("A sandbox answer, or one for another app, does not show it")
    func rightGivingOnly() {
        for receipt in [
            Receipt.showing(.once("1", "x", bought: -9), environment: .sandbox),
            .showing(.once("1", "x", bought: -9), bundle: "other"),
        ] {
            let judgement = Judge.acme.judgement(of: [.stored(.verified(receipt))], [])
            #expect(judgement.unknownProducts.isEmpty)
        }
    }

    @Test("Counts of several users add up")
    func combined() {
        let seen = [
            UnknownProduct(product: "y", users: 1, rows: 2),
            UnknownProduct(product: "x", users: 0, rows: 1),
            UnknownProduct(product: "y", users: 1, rows: 0),
        ]
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
        #expect(finding.severity == .medium && finding.direction == .none)
        #expect(finding.productApple == "x" && finding.reference == "x")
        #expect(finding.proposedAction == .investigate)
        #expect(
            finding.explanation
                == "Apple shows the product x in the receipts of 1 user, and 2 stored entitlements"
                + " name it, but the view catalog_products does not have it: it is judged"
                + " only where Apple shows an expiry, or signed receipts name its kind.")
    }
}
