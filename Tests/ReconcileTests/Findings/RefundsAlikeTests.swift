import Testing

@testable import Reconcile

/// A refund's reference is its line item, else an id. In some receipts two purchases share one: a
/// repaired receipt, or a product bought again under another's id.
@Suite("Two purchases that share a refund reference")
struct RefundsAlikeTests {
    private static let coins = Transaction.once("2", "coins", bought: -9, cancelled: -5)
        .ordered("77")

    static let alike: [(Transaction, Transaction)] = [
        (
            .monthly("1", bought: -10, cancelled: -4).ordered("77"),
            .monthly("3", of: "3", "max.monthly", bought: -10, cancelled: -4).ordered("77")
        ),
        (coins, .once("3", "coins", bought: -8, cancelled: -5).ordered("77")),
        // The original id of a permanent purchase is another purchase's own id.
        (
            .once("2", "coins", bought: -9, cancelled: -5),
            .once("4", "unlock", bought: -8, cancelled: -5).restored(from: "2")
        ),
        // One of the two refunds is older than the event horizon.
        (coins, .once("3", "coins", bought: -99, cancelled: -95).ordered("77")),
    ]

    private func judgement(_ shown: [Transaction], _ known: [LedgerEntry] = []) -> Judgement {
        var receipt = Receipt.showing()
        receipt.transactions = shown
        let evidence = UserEvidence(
            user: "u", receipts: [.stored(.verified(receipt))], entitlements: [])
        return Judge.acme.judgement(of: evidence, history: UserHistory(known))
    }

    @Test(
        "Two refunds with one reference are reported once, for the first purchase", arguments: alike
    )
    func refunds(_ first: Transaction, _ second: Transaction) {
        for shown in [[first, second], [second, first]] {
            let judged = judgement(shown)
            #expect(judged.kinds == [.refundRecorded])
            #expect(judged.findings.first?.transaction == first.id)
            #expect(judged.remembered.isEmpty)
        }
    }

    @Test("The refund is not reversed while one of the two purchases is cancelled")
    func reversals() {
        let stands = Transaction.once("3", "coins", bought: -8).ordered("77")
        let told = LedgerEntry.refund("77", cancelled: -5)
        #expect(judgement([Self.coins, stands], [told]).kinds.isEmpty)
        #expect(judgement([stands], [told]).kinds == [.refundReversed])
    }
}

extension Transaction {
    fileprivate func ordered(_ lineItem: LineItemID) -> Transaction {
        var transaction = self
        transaction.lineItem = lineItem
        return transaction
    }

    fileprivate func restored(from original: TransactionID) -> Transaction {
        var transaction = self
        transaction.originalID = original
        return transaction
    }
}
