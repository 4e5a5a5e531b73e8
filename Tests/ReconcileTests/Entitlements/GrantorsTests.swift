import Testing

@testable import Reconcile

@Suite("The grantors of a user's rights")
struct GrantorsTests {
    private func grantors(
        _ receipts: VerifiedReceipt..., seenExpiring: Set<ProductID> = []
    ) -> [Grantor] {
        let kinds = ProductKinds(catalog: .acme, seenExpiring: seenExpiring)
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

    @Test("A product outside the catalogue is a subscription once it was seen with an expiry")
    func unknownProduct() {
        let receipt = Receipt.showing(.monthly("1", of: "1", "mystery", bought: -10))
        #expect(grantors(.stored(receipt)).isEmpty)
        #expect(grantors(.stored(receipt), seenExpiring: ["mystery"]).map(\.state) == [.active])
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

    @Test("Events after the instant of judgement do not exist yet")
    func future() {
        let receipt = Receipt.showing(
            .monthly("1", of: "1", bought: -10, cancelled: 0.01),
            .monthly("2", of: "2", bought: 0.01))
        #expect(grantors(.stored(receipt)).map(\.state) == [.active])
    }

    @Test("A transaction and a renewal come whole from the newest answer, iOS 6 being oldest")
    func newestAnswer() {
        let old = VerifiedReceipt.stored(
            "a",
            .showing(
                .monthly("1", bought: -32),
                renewals: [Renewal(originalID: "1", gracePeriodExpiresAt: .day(3))], created: -9))
        let new = VerifiedReceipt.stored(
            "b", .showing(.monthly("1", bought: -32, cancelled: -2), created: -3))
        let ios6 = VerifiedReceipt.stored(
            "0", .showing(.monthly("1", bought: -10), style: .iOS6, created: nil))
        #expect(grantors(old, new, ios6).map(\.state) == [.expired])
        #expect(grantors(ios6, old, new).map(\.covering.source.id) == ["b"])
        #expect(grantors(old, ios6).map(\.state) == [.grace])
    }

    @Test("Of two answers of one age the smaller receipt id wins")
    func sameAge() {
        let first = VerifiedReceipt.stored("a", .showing(.monthly("1", bought: -10)))
        let second = VerifiedReceipt.stored(
            "b", .showing(.monthly("1", bought: -10, cancelled: -2)))
        #expect(grantors(second, first).map(\.state) == [.active])
    }

}

@Suite("The best grantor")
struct BestGrantorTests {
    private func best(
        _ transactions: [Transaction], renewals: [Renewal] = [], for row: StoredEntitlement
    ) -> TransactionID? {
        var receipt = Receipt.showing(renewals: renewals)
        receipt.transactions = transactions
        let user = UserCase(
            UserEvidence(
                user: "u", receipts: [.stored(.verified(receipt))], entitlements: [row]),
            catalog: .acme, settings: JudgingSettings(asOf: .asOf))
        return user.grantors(for: row).first?.originalID
    }

    private let grace = Renewal(originalID: "2", gracePeriodExpiresAt: .day(40))

    @Test("An active grantor precedes one in grace, even one of the row's own product")
    func active() {
        let chains: [Transaction] = [
            .monthly("1", of: "1", "max.monthly", bought: -20), .monthly("2", of: "2", bought: -31),
        ]
        #expect(best(chains, renewals: [grace], for: .row()) == "1")
    }

    @Test("A grantor in grace precedes one that has ended")
    func graceFirst() {
        let chains: [Transaction] = [
            .monthly("1", of: "1", bought: -31), .monthly("2", of: "2", "max.monthly", bought: -90),
        ]
        #expect(best(chains, renewals: [grace], for: .row(chain: "1")) == "2")
    }

    @Test("Ties go to the row's product, then its chain, then the latest end, then the smallest id")
    func ties() {
        let yearly = Transaction.monthly("1", of: "1", "pro.yearly", bought: -5)
        let second = Transaction.monthly("2", of: "2", bought: -20)
        let third = Transaction.monthly("3", of: "3", bought: -10)
        let fourth = Transaction.monthly("4", of: "4", bought: -10)
        #expect(best([yearly, second], for: .row()) == "2")
        #expect(best([yearly, second, third], for: .row(chain: "2")) == "2")
        #expect(best([second, third], for: .row()) == "3")
        #expect(best([fourth, third], for: .row()) == "3")
    }

    @Test("A chain that the row names can be its grantor although it is of another right")
    func named() {
        let solo = Transaction.monthly("7", of: "7", "solo.monthly", bought: -10)
        #expect(best([solo], for: .row(chain: "7")) == "7")
        #expect(best([solo], for: .row()) == nil)
    }
}
