import Testing

@testable import Reconcile
@testable import TestSupport

/// `RowTests`, `PeriodUnderTwoIDsTests` and `OneTimePurchaseTests` show what several answers and
/// lines about one purchase mean.
@Suite("A user's purchases and their kinds")
struct PurchasesTests {
    @Test(
        "Numeric ids are compared as numbers of any length",
        arguments: [
            ("9", "10", true), ("10", "9", false), ("009", "9", false), ("9", "009", false),
            ("a", "b", true), ("9", "a", true),
        ] as [(TransactionID, TransactionID, Bool)])
    func order(left: TransactionID, right: TransactionID, isLess: Bool) {
        #expect(left.isNumericallyLess(than: right) == isLess)
    }

    @Test(
        "The catalogue decides, else an expiry, else a signed receipt; the kind must be judgeable",
        arguments: textTriples(
            """
            pro.monthly  | auto_renewable |
            unlock       | non_consumable |
            pass         | non_renewing   |
            seen         | auto_renewable |
            signed       | non_consumable |
            coins        | consumable     | consumable
            pass.unknown | non_renewing   | access_duration_unknown
            nobody.knows |                | product_unknown
            """))
    func kind(product: String, kind: String, obstacle: String) {
        var kinds = ProductKinds(catalog: .acme, seenExpiring: ["seen", "unlock"])
        kinds.signed = ["signed": .nonConsumable, "seen": .consumable, "coins": .nonConsumable]
        #expect(kinds.kind(of: ProductID(product)) == ProductKind(rawValue: kind))
        #expect(kinds.obstacle(to: ProductID(product))?.rawValue ?? "" == obstacle)
    }

    /// The third cell is the chain that the row names, which may be of another right.
    @Test(
        "The best grantor is active, else in grace; of the row's product, its chain, the last one",
        arguments: textTable(
            """
            active before grace        | max -20, pro -31 of 2, renewal of 2 grace 40 |   | 1
            grace before an end        | pro -31, max -90 of 2, renewal of 2 grace 40 | 1 | 2
            the row's product          | yearly -5, pro -20 of 2                      |   | 2
            the row's chain            | yearly -5, pro -20 of 2, pro -10 of 3        | 2 | 2
            the last one               | pro -20 id 2 of 2, pro -10 id 3 of 3         |   | 3
            of equals the smallest id  | pro -10 id 4 of 4, pro -10 id 3 of 3         |   | 3
            the chain of another right | solo -10 id 7 of 7                           | 7 | 7
            no chain of another right  | solo -10 id 7 of 7                           |   |
            """))
    func best(cells: [String]) {
        let row = stored("pro" + (cells[2].isEmpty ? "" : " chain \(cells[2])"))
        let user = UserCase(
            UserEvidence(user: "u", receipts: shown(cells[1]), entitlements: row),
            catalog: .acme, settings: JudgingSettings(asOf: .asOf))
        #expect(user.grantors(for: row[0]).first?.originalID.text ?? "" == cells[3])
    }
}

@Suite("The products that a receipt unlocks")
struct UnlockedProductsTests {
    /// Products, those with an end followed by its day.
    @Test(
        "A receipt unlocks products by the rules of the nightly run",
        arguments: textTriples(
            """
            nothing                           | answer                            |
            a non-consumable                  | unlock -3                         | unlock
            a refunded one                    | unlock -3 cancelled -1            |
            one that was bought again         | unlock -3 cancelled -1, unlock -1 | unlock
            a subscription                    | pro -10                           | pro.monthly 20
            an expired one                    | pro -40                           |
            one in its grace period           | pro -32, renewal grace 5          | pro.monthly 5
            one in billing retry              | pro -40, renewal retry            |
            a pass                            | pass -10                          | pass 20
            a pass that is over               | pass -31                          |
            coins, some of which are refunded | coins -3 cancelled -2, coins -3   | coins
            refunded coins                    | coins -3 cancelled -2             |
            an unknown product                | mystery -3                        |
            the app itself                    | answer version 4.9                | full
            the app, too late                 | answer version 4.11               |
            the sandbox, silent on the app    | answer sandbox version 1.0, unlock -3 | unlock
            """))
    func unlocks(title: String, receipt: String, expected: String) {
        let found = UnlockedProducts(of: .inWords(receipt), catalog: .acme, at: .asOf)
        let unlocked = found.products.map { product in
            let days = product.endsAt.map { $0.milliseconds - Instant.asOf.milliseconds }
            return product.id.text + (days.map { " \($0 / 86_400_000)" } ?? "")
        }
        #expect(unlocked.joined(separator: ", ") == expected)
        #expect(found.earliestEnd == found.products.compactMap(\.endsAt).min())
    }

    @Test(
        "An unlocked product has its refund's references, and products not in the catalogue a name")
    func references() {
        let receipt = Receipt.inWords(
            "unlock -3, pro -10 id 3 of 2 order w3, coins -3 id 9 cancelled -1")
        let found = UnlockedProducts(of: receipt, catalog: .acme, at: .asOf)
        #expect(found.refundReferences == ["1", "w3"])
        #expect(found.products.map(\.refundReferences) == [["w3"], ["1"]])
        let more = UnlockedProducts(
            of: .inWords("mystery -3, unlock -3"), catalog: .acme, at: .asOf)
        #expect(more.unknown == ["mystery"])
    }
}

@Suite("An app version")
struct AppVersionTests {
    @Test(
        "Versions are compared part by part as numbers",
        arguments: [
            ("1.9", "1.10", true), ("1.10", "1.9", false), ("2", "2.0", false),
            ("2.0", "2", false), ("010", "10", false), ("1.0.1", "1.0", false),
            ("1.0", "1.0.1", true), ("99999999999999999999", "100000000000000000000", true),
            ("0", "0.0.1", true),
        ])
    func compared(left: String, right: String, isLess: Bool) throws {
        let left = try #require(AppVersion(left))
        #expect((left < (try #require(AppVersion(right)))) == isLess)
    }

    @Test(
        "A version with a part that is not a number is undecidable",
        arguments: ["", "1.", ".1", "1.0b2", "72e87690", "１"])
    func none(text: String) { #expect(AppVersion(text) == nil) }
}

/// `FreemiumTests` has answers that decide nothing, and apps that were sold until a date.
@Suite("An app that was paid for before it became free")
struct GrandfatheringTests {
    /// The verdict and the receipt that it comes from. Another app `twin` was paid for up to
    /// version 2, and has the same premium product.
    private func ruling(_ receipts: String) -> String {
        let twin = CatalogApp(bundle: "twin", lastPaidVersion: "2", premiumProduct: "full")
        let ruling = Grandfathering(
            receipts: shown(receipts).compactMap(\.verified), catalog: .acme.with(twin)
        ).ruling(on: .product("full"))
        return ruling.map { "\($0.verdict) \($0.source.id)" } ?? ""
    }

    @Test(
        "The original version decides; one receipt that says paid is enough, else an odd one wins",
        arguments: textPairs(
            """
                                                                       |
            answer version 5                                           | notPaid r1
            answer version 5.0; answer unversioned; answer version 4.0 | paid r3
            answer unversioned; answer version 5.0                     | undecidable r1
            answer version 5.0; answer unversioned                     | undecidable r2
            """))
    func version(receipts: String, expected: String) { #expect(ruling(receipts) == expected) }

    @Test("All apps with the premium product count, and the smallest paid receipt decides")
    func severalApps() {
        let twin = "answer of twin id b version 1.9; answer id a version 5"
        let late = "answer of twin id c version 2.0"
        #expect(ruling("\(twin); \(late)") == "paid b" && ruling("\(late); \(twin)") == "paid b")
        let unpaid = "answer of twin id b version 2.1; answer id a version 5"
        #expect(ruling(unpaid).hasPrefix("notPaid"))
        #expect(ruling("\(unpaid); answer of twin id c version -").hasPrefix("undecidable"))
    }
}
