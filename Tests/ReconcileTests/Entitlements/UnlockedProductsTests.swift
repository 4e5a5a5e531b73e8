import Testing

@testable import Reconcile

@Suite("The products that a receipt unlocks")
struct UnlockedProductsTests {
    private static let unlock = Transaction.once("1", "unlock", bought: -3)
    private static let refunded = Transaction.once("1", "unlock", bought: -3, cancelled: -1)
    private static let lostCoins = Transaction.once("1", "coins", bought: -3, cancelled: -2)

    /// Products, those with an end followed by its day.
    static let examples: [(String, Receipt, [String])] = [
        ("nothing", .showing(), []),
        ("a non-consumable", .showing(unlock), ["unlock"]),
        ("a refunded one", .showing(refunded), []),
        (
            "one that was bought again", .showing(refunded, .once("2", "unlock", bought: -1)),
            ["unlock"]
        ),
        ("a subscription", .showing(.monthly(bought: -10)), ["pro.monthly 20"]),
        ("an expired one", .showing(.monthly(bought: -40)), []),
        (
            "one in its grace period", .showing(.monthly(bought: -32), renewals: inGrace),
            ["pro.monthly 5"]
        ),
        ("one in billing retry", .showing(.monthly(bought: -40), renewals: billingRetry), []),
        ("a pass", .showing(.once("1", "pass", bought: -10)), ["pass 20"]),
        ("a pass that is over", .showing(.once("1", "pass", bought: -31)), []),
        (
            "coins, of which some were refunded",
            .showing(lostCoins, .once("2", "coins", bought: -3)), ["coins"]
        ),
        ("refunded coins", .showing(lostCoins), []),
        ("an unknown product", .showing(.once("1", "mystery", bought: -3)), []),
        ("the app itself", .showing(version: "4.9"), ["full"]),
        ("the app, too late", .showing(version: "4.11"), []),
        (
            "a sandbox receipt, which says nothing of the app",
            .showing(unlock, environment: .sandbox, version: "1.0"), ["unlock"]
        ),
    ]

    @Test("A receipt unlocks products by the rules of the nightly run", arguments: examples)
    func unlocks(title: String, receipt: Receipt, expected: [String]) {
        let found = UnlockedProducts(of: receipt, catalog: .acme, at: .asOf)
        let unlocked = found.products.map { product in
            product.id.text + (product.endsAt.map { " \(Self.days(to: $0))" } ?? "")
        }
        #expect(unlocked == expected)
        #expect(found.earliestEnd == found.products.compactMap(\.endsAt).min())
    }

    @Test("An unlocked product has the references by which its refund would be recorded")
    func references() {
        var period = Transaction.monthly("3", of: "2", bought: -10)
        period.lineItem = "w3"
        let receipt = Receipt.showing(
            Self.unlock, period, .once("9", "coins", bought: -3, cancelled: -1))
        let found = UnlockedProducts(of: receipt, catalog: .acme, at: .asOf)
        #expect(found.refundReferences == ["1", "w3"])
        #expect(found.products.map(\.refundReferences) == [["w3"], ["1"]])
    }

    @Test("Products that the catalogue lacks are named")
    func unknown() {
        let receipt = Receipt.showing(.once("2", "mystery", bought: -3), Self.unlock)
        let found = UnlockedProducts(of: receipt, catalog: .acme, at: .asOf)
        #expect(found.unknown == ["mystery"])
    }

    private static func days(to instant: Instant) -> Int64 {
        (instant.milliseconds - Instant.asOf.milliseconds) / 86_400_000
    }
}
