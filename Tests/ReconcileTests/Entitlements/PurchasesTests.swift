import Testing

@testable import Reconcile

/// `PeriodUnderTwoIDsTests` and `OneTimePurchaseTests` show what several lines about one purchase
/// mean for the findings.
@Suite("The purchases of a user")
struct PurchasesTests {
    private static func purchases(_ receipts: VerifiedReceipt...) -> Purchases {
        let kinds = ProductKinds(catalog: .acme, seenExpiring: [])
        return Purchases(in: receipts, asOf: .asOf, kinds: kinds)
    }

    private static func period(_ id: TransactionID, isInLatest: Bool = false) -> Transaction {
        var transaction = Transaction.monthly(id, bought: -10)
        transaction.lineItem = "77"
        transaction.isInLatest = isInLatest
        return transaction
    }

    private static func restored(_ id: TransactionID, bought: Double) -> Transaction {
        var transaction = Transaction.once(id, "unlock", bought: bought)
        transaction.originalID = "1"
        return transaction
    }

    @Test(
        "Several lines about one purchase count once: of a period that of latest_receipt_info",
        arguments: [
            ([period("20"), period("5", isInLatest: true)], [], "5"),
            // An older latest_receipt_info counts before a newer in_app.
            ([period("20")], [period("5", isInLatest: true)], "5"),
            // The newest line of a lifetime purchase.
            ([restored("5", bought: -60), restored("6", bought: -5)], [], "6"),
        ] as [([Transaction], [Transaction], TransactionID)])
    func counts(newest: [Transaction], older: [Transaction], counted: TransactionID) {
        var receipts = [Receipt.showing(created: -1), .showing(created: -9)]
        receipts[0].transactions = newest
        receipts[1].transactions = older
        let purchases = Self.purchases(.stored("b", receipts[1]), .stored("a", receipts[0]))
        #expect(purchases.all.map(\.id) == [counted])
    }

    @Test("A purchase after the instant is upcoming, and a cancellation after it has not happened")
    func later() {
        let purchases = Self.purchases(
            .stored(
                .showing(
                    .monthly("1", bought: -10, cancelled: 1), .monthly("2", bought: 0.5),
                    .once("3", "unlock", bought: 0.5))))
        #expect(purchases.all.map(\.id) == ["1"])
        #expect(purchases.all.map(\.isCancelled) == [false])
        #expect(purchases.all.map(\.isCancelledLater) == [true])
        #expect(purchases.upcoming.map(\.id) == ["2"])
    }

    @Test("A series of purchases ends where the product or the chain changes")
    func runs() {
        let purchases = Self.purchases(
            .stored(
                .showing(
                    .monthly("1", of: "1", bought: -70), .monthly("2", of: "1", bought: -40),
                    .monthly("3", of: "1", "max.monthly", bought: -10),
                    .monthly("4", of: "4", "max.monthly", bought: -10))))
        #expect(purchases.runs.map { $0.map(\.id) } == [["1", "2"], ["3"], ["4"]])
        #expect(Self.purchases().runs.isEmpty)
    }

    @Test("A renewal comes from the newest answer that has one")
    func renewals() {
        let (old, new) = (
            Renewal(originalID: "1", willRenew: true), Renewal(originalID: "1", willRenew: false)
        )
        let renewals = Self.purchases(
            .stored("a", .showing(renewals: [old], created: -9)),
            .stored("b", .showing(renewals: [new], created: -1))
        ).renewals
        #expect(renewals["1"]?.willRenew == false)
    }

    @Test(
        "Numeric ids are compared as numbers of any length",
        arguments: [
            ("9", "10", true), ("10", "9", false), ("009", "9", false), ("9", "009", false),
            ("a", "b", true), ("9", "a", true),
        ] as [(TransactionID, TransactionID, Bool)])
    func order(left: TransactionID, right: TransactionID, isLess: Bool) {
        #expect(left.isNumericallyLess(than: right) == isLess)
    }
}

@Suite("The kind of a product")
struct ProductKindsTests {
    @Test(
        "The catalogue decides, else an expiry, else a signed receipt; the kind must be judgeable",
        arguments: [
            ("pro.monthly", .autoRenewable, nil), ("unlock", .nonConsumable, nil),
            ("pass", .nonRenewing, nil), ("seen", .autoRenewable, nil),
            ("signed", .nonConsumable, nil), ("coins", .consumable, .consumable),
            ("pass.unknown", .nonRenewing, .accessDurationUnknown),
            ("nobody.knows", nil, .productUnknown),
        ] as [(ProductID, ProductKind?, NotReported.Cause?)])
    func kind(product: ProductID, kind: ProductKind?, obstacle: NotReported.Cause?) {
        var kinds = ProductKinds(catalog: .acme, seenExpiring: ["seen", "unlock"])
        kinds.signed = ["signed": .nonConsumable, "seen": .consumable, "coins": .nonConsumable]
        #expect(kinds.kind(of: product) == kind)
        #expect(kinds.obstacle(to: product) == obstacle)
    }
}
