import Testing

@testable import Reconcile

@Suite("The grantors of a user's rights")
struct GrantorsTests {
    private func grantors(_ receipts: VerifiedReceipt...) -> [Grantor] {
        let kinds = ProductKinds(catalog: .acme, seenExpiring: [])
        let purchases = Purchases(in: receipts, asOf: .asOf, kinds: kinds)
        return Grantors(of: purchases, kinds: kinds, asOf: .asOf).all
            .sorted { $0.product < $1.product }
    }

    @Test("Each chain and each one-time product becomes one grantor")
    func each() {
        let receipt = Receipt.showing(
            .monthly("1", of: "1", bought: -10), .monthly("2", of: "2", bought: -90),
            .once("3", "unlock", bought: -9), .once("4", "pass", bought: -9),
            .once("5", "coins", bought: -9), .once("6", "nobody.knows", bought: -9),
            .once("7", "pass.unknown", bought: -9))
        #expect(
            grantors(.stored(receipt)).map(\.product.text)
                == ["pass", "pro.monthly", "pro.monthly", "unlock"])
    }

    @Test("A chain that was upgraded keeps each of its rights")
    func upgraded() {
        let receipt = Receipt.showing(
            .monthly("1", of: "1", "solo.monthly", bought: -20, isUpgraded: true),
            .monthly("2", of: "1", "max.monthly", bought: -10))
        let grantor = grantors(.stored(receipt)).first
        #expect(grantor?.product == "max.monthly")
        #expect(grantor?.rights == [.group("G"), .product("solo.monthly")])
    }

    @Test("A transaction and a renewal come whole from the newest answer, iOS 6 being oldest")
    func newestAnswer() {
        let old = VerifiedReceipt.stored(
            "a",
            .showing(.monthly("1", bought: -32), renewals: [.grace(until: 3)], created: -9))
        let new = VerifiedReceipt.stored(
            "b", .showing(.monthly("1", bought: -32, cancelled: -2), created: -3))
        let ios6 = VerifiedReceipt.stored(
            "0", .showing(.monthly("1", bought: -10), style: .iOS6, created: nil))
        #expect(grantors(old, new, ios6).map(\.state) == [.expired])
        #expect(grantors(ios6, old, new).map(\.covering.source.id) == ["b"])
        #expect(grantors(old, ios6).map(\.state) == [.grace])
        // Of two answers of one age the smaller receipt id wins.
        let first = VerifiedReceipt.stored("a", .showing(.monthly("1", bought: -10)))
        let second = VerifiedReceipt.stored(
            "b", .showing(.monthly("1", bought: -10, cancelled: -2)))
        #expect(grantors(second, first).map(\.state) == [.active])
    }

    private static let yearly = Transaction.monthly("1", of: "1", "pro.yearly", bought: -5)
    private static let second = Transaction.monthly("2", of: "2", bought: -20)
    private static let third = Transaction.monthly("3", of: "3", bought: -10)
    private static let fourth = Transaction.monthly("4", of: "4", bought: -10)
    private static let late = Transaction.monthly("2", of: "2", bought: -31)
    private static let inGrace = [Renewal.grace(until: 40, of: "2")]
    private static let solo = Transaction.monthly("7", of: "7", "solo.monthly", bought: -10)

    @Test(
        "The best grantor is active, else in grace; of the row's product, its chain, the last one",
        arguments: [
            // An active one precedes one in grace, even one of the row's own product.
            ([.monthly("1", of: "1", "max.monthly", bought: -20), late], inGrace, nil, "1"),
            // One in grace precedes one that has ended.
            (
                [
                    .monthly("1", of: "1", bought: -31),
                    .monthly("2", of: "2", "max.monthly", bought: -90),
                ], inGrace, "1", "2"
            ),
            ([yearly, second], [], nil, "2"), ([yearly, second, third], [], "2", "2"),
            ([second, third], [], nil, "3"),
            // Of equals the smallest id.
            ([fourth, third], [], nil, "3"),
            // A chain that the row names may be of another right.
            ([solo], [], "7", "7"), ([solo], [], nil, nil),
        ] as [([Transaction], [Renewal], TransactionID?, TransactionID?)])
    func best(
        transactions: [Transaction], renewals: [Renewal], chain: TransactionID?,
        expected: TransactionID?
    ) {
        let receipt = Receipt.showing(transactions, renewals: renewals)
        let row = StoredEntitlement.row(chain: chain)
        let user = UserCase(
            UserEvidence(user: "u", receipts: verified(receipt), entitlements: [row]),
            catalog: .acme, settings: JudgingSettings(asOf: .asOf))
        #expect(user.grantors(for: row).first?.originalID == expected)
    }
}
