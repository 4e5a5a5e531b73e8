import Testing

@testable import Reconcile

@Suite("The purchases of a user")
struct PurchasesTests {
    private static let kinds = ProductKinds(catalog: .acme, seenExpiring: [])

    private static func purchases(_ receipts: VerifiedReceipt...) -> Purchases {
        Purchases(in: receipts, asOf: .asOf, kinds: kinds)
    }

    private static func period(
        _ id: TransactionID, order: LineItemID? = "77", isInLatest: Bool = false,
        product: ProductID = "pro.monthly", cancelled: Double? = nil
    ) -> Transaction {
        Transaction(
            id: id, originalID: "1", product: product, purchasedAt: .day(-10),
            expiresAt: .day(20), cancelledAt: cancelled.map(Instant.day), ownership: .purchased,
            lineItem: order, isInLatest: isInLatest)
    }

    private static func restored(
        _ id: TransactionID, bought: Double, cancelled: Double? = nil
    ) -> Transaction {
        Transaction(
            id: id, originalID: "1", product: "unlock", purchasedAt: .day(bought),
            cancelledAt: cancelled.map(Instant.day), ownership: .purchased)
    }

    struct Merge: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let newest: [Transaction]
        var older: [Transaction] = []
        let counted: [TransactionID]
    }

    static let merges: [Merge] = [
        Merge(
            testDescription: "the line of latest_receipt_info counts of one period",
            newest: [period("20"), period("5", isInLatest: true)], counted: ["5"]),
        Merge(
            testDescription: "the greatest id as a number counts of several in latest_receipt_info",
            newest: [period("9", isInLatest: true), period("10", isInLatest: true)],
            counted: ["10"]),
        Merge(
            testDescription: "the newest answer's line counts before an older one's",
            newest: [period("5", isInLatest: true)], older: [period("20", isInLatest: true)],
            counted: ["5"]),
        Merge(
            testDescription: "an older latest_receipt_info counts before a newer in_app",
            newest: [period("20")], older: [period("5", isInLatest: true)], counted: ["5"]),
        Merge(
            testDescription: "periods of other orders, or without one, all count",
            newest: [period("5"), period("6", order: "78"), period("7", order: nil)],
            counted: ["5", "6", "7"]),
        Merge(
            testDescription: "periods of another product of one order both count",
            newest: [period("5"), period("6", product: "max.monthly")], counted: ["5", "6"]),
        Merge(
            testDescription: "a lifetime purchase that was restored is one, the newest line of it",
            newest: [restored("5", bought: -60), restored("6", bought: -5)], counted: ["6"]),
        Merge(
            testDescription: "a lifetime purchase is cancelled by a line of the newest answer",
            newest: [restored("5", bought: -60, cancelled: -9), restored("6", bought: -5)],
            counted: ["5"]),
        Merge(
            testDescription: "a lifetime purchase is not cancelled by an older answer",
            newest: [restored("6", bought: -5)],
            older: [restored("5", bought: -60, cancelled: -9)], counted: ["6"]),
    ]

    @Test("Several lines about one purchase count once", arguments: merges)
    func counts(merge: Merge) {
        var newest = Receipt.showing(created: -1)
        newest.transactions = merge.newest
        var older = Receipt.showing(created: -9)
        older.transactions = merge.older
        let purchases = Self.purchases(.stored("b", older), .stored("a", newest))
        #expect(purchases.all.map(\.id) == merge.counted)
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
        let old = Receipt.showing(
            renewals: [Renewal(originalID: "1", willRenew: true)], created: -9)
        let new = Receipt.showing(
            renewals: [Renewal(originalID: "1", willRenew: false)], created: -1)
        let renewals = Self.purchases(.stored("a", old), .stored("b", new)).renewals
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
