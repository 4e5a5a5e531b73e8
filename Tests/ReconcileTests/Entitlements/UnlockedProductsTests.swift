import Testing

@testable import Reconcile

@Suite("The products that a receipt unlocks")
struct UnlockedProductsTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipt: Receipt
        /// Products, those with an end followed by its day.
        let unlocked: [String]

        init(_ title: String, _ receipt: Receipt, _ unlocked: String...) {
            testDescription = title
            self.receipt = receipt
            self.unlocked = unlocked
        }
    }

    static let examples = [
        Example("nothing", .showing()),
        Example("a non-consumable", .showing(.once("1", "unlock", bought: -3)), "unlock"),
        Example("a refunded one", .showing(.once("1", "unlock", bought: -3, cancelled: -1))),
        Example(
            "one that was bought again",
            .showing(
                .once("1", "unlock", bought: -9, cancelled: -8), .once("2", "unlock", bought: -1)),
            "unlock"),
        Example("a subscription", .showing(.monthly(bought: -10)), "pro.monthly 20"),
        Example("an expired one", .showing(.monthly(bought: -40))),
        Example(
            "one in its grace period",
            .showing(.monthly(bought: -32), renewals: inGrace), "pro.monthly 5"),
        Example("one in billing retry", .showing(.monthly(bought: -40), renewals: billingRetry)),
        Example("a pass", .showing(.once("1", "pass", bought: -10)), "pass 20"),
        Example("a pass that is over", .showing(.once("1", "pass", bought: -31))),
        Example(
            "coins, of which some were refunded",
            .showing(
                .once("1", "coins", bought: -3, cancelled: -2), .once("2", "coins", bought: -3)),
            "coins"),
        Example("refunded coins", .showing(.once("1", "coins", bought: -3, cancelled: -2))),
        Example("an unknown product", .showing(.once("1", "mystery", bought: -3))),
        Example("the app itself", .showing(version: "4.9"), "full"),
        Example("the app, too late", .showing(version: "4.11")),
        Example(
            "a sandbox receipt, which says nothing of the app",
            .showing(.once("1", "unlock", bought: -3), environment: .sandbox, version: "1.0"),
            "unlock"),
    ]

    @Test("A receipt unlocks products by the rules of the nightly run", arguments: examples)
    func unlocks(example: Example) {
        let found = UnlockedProducts(of: example.receipt, catalog: .acme, at: .asOf)
        let words = found.products.map { product in
            product.id.text + (product.endsAt.map { " \(Self.days(to: $0))" } ?? "")
        }
        #expect(words == example.unlocked)
        let ends = found.products.compactMap(\.endsAt)
        #expect(found.earliestEnd == ends.min())
    }

    @Test("An unlocked product has the references by which its refund would be recorded")
    func references() {
        var period = Transaction.monthly("3", of: "2", bought: -10)
        period.lineItem = "w3"
        let receipt = Receipt.showing(
            .once("1", "unlock", bought: -3), period,
            .once("9", "coins", bought: -3, cancelled: -1))
        let found = UnlockedProducts(of: receipt, catalog: .acme, at: .asOf)
        #expect(found.refundReferences == ["1", "w3"])
        #expect(found.products.map(\.refundReferences) == [["w3"], ["1"]])
    }

    @Test("Products that the catalogue lacks are named")
    func unknown() {
        let receipt = Receipt.showing(
            .once("1", "mystery", bought: -3), .once("2", "unlock", bought: -3))
        let found = UnlockedProducts(of: receipt, catalog: .acme, at: .asOf)
        #expect(found.unknown == ["mystery"])
    }

    private static func days(to instant: Instant) -> Int64 {
        (instant.milliseconds - Instant.asOf.milliseconds) / 86_400_000
    }
}
