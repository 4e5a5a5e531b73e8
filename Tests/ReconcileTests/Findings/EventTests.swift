import Testing

@testable import Reconcile

@Suite("An event")
struct EventTests {
    static let cases: [AnsweredCase] = [
        .init(
            "a refund of coins", answers(.once("2", "coins", bought: -9, cancelled: -5)),
            is: "refund_recorded"),
        .init(
            "a refund of an unknown product",
            answers(.once("2", "nobody.knows", bought: -9, cancelled: -5)), is: "refund_recorded"),
        .init(
            "withdrawn family sharing, which is no refund",
            answers(.monthly(bought: -10, cancelled: -4, isFamilyShared: true)),
            is: "family_revocation_recorded"),
        .init(
            "an upgrade, which is none",
            answers(.monthly(bought: -10, cancelled: -4, isUpgraded: true))),
        .init("an expiry of a chain", answers(.monthly(bought: -40)), is: "expired"),
        .init("an expiry of a pass", answers(.once("1", "pass", bought: -40)), is: "expired"),
        .init(
            "an expiry although another chain still gives the right",
            answers(
                .monthly(bought: -40), .monthly("2", of: "2", "max.monthly", bought: -10)),
            .row("e1", "max.monthly", expires: 20), is: "consistent", "expired"),
        .init("an expiry at the horizon", answers(.monthly(bought: -120)), is: "expired"),
        .init("an expiry beyond the horizon", answers(.monthly(bought: -120.01))),
        .init(
            "a refund beyond the horizon",
            answers(.once("1", "coins", bought: -99, cancelled: -90.01))),
        .init(
            "a refund in the sandbox, which is none",
            verified(.showing(.monthly(bought: -10, cancelled: -4), environment: .sandbox))),
        .init(
            "an expiry in the sandbox, which is none",
            verified(.showing(.monthly(bought: -40), environment: .sandbox))),
    ]

    @Test("Refunds and ends of the last months are recorded for any product", arguments: cases)
    func isRecorded(row: AnsweredCase) { row.check() }

    @Test("An event has the transaction or the chain, and a refund Apple's reason")
    func columns() throws {
        let refunds = answers(.monthly(bought: -10, cancelled: -4, reason: "1"))
        let refund = try Judge.acme.judgement(of: refunds, []).only(.refundRecorded)
        #expect(refund.reason == "app_issue" && refund.reference == "1")
        let ends = answers(.monthly(bought: -40))
        let end = try Judge.acme.judgement(of: ends, []).only(.expired)
        #expect(end.originalTransaction == "1")
    }

    @Test("A transaction in two receipts gives one event")
    func twoReceipts() throws {
        let receipt = Validation.verified(.showing(.monthly(bought: -10, cancelled: -4)))
        let judgement = Judge.acme.judgement(
            of: [.stored("a", receipt), .stored("b", receipt)], [])
        #expect(judgement.outcome == ["refund_recorded"])
        #expect(try judgement.only(.refundRecorded).receipt == "a")
    }
}

/// A refund's reference is its line item, else an id. In some receipts two purchases share one: a
/// repaired receipt, or a product bought again under another's id.
@Suite("Two purchases that share a refund reference")
struct RefundsAlikeTests {
    private static let coins = Transaction.once("2", "coins", bought: -9, cancelled: -5).ordered

    static let alike: [(Transaction, Transaction)] = [
        (
            .monthly("1", bought: -10, cancelled: -4).ordered,
            .monthly("3", of: "3", "max.monthly", bought: -10, cancelled: -4).ordered
        ),
        (coins, .once("3", "coins", bought: -8, cancelled: -5).ordered),
        // The original id of a permanent purchase is another purchase's own id.
        (
            .once("2", "coins", bought: -9, cancelled: -5),
            .once("4", "unlock", bought: -8, cancelled: -5).restored(from: "2")
        ),
        // One of the two refunds is older than the event horizon.
        (coins, .once("3", "coins", bought: -99, cancelled: -95).ordered),
    ]

    private func judgement(_ shown: Transaction..., after known: LedgerEntry...) -> Judgement {
        let evidence = UserEvidence(
            user: "u", receipts: [.stored(.verified(.showing(shown)))], entitlements: [])
        return Judge.acme.judgement(of: evidence, history: UserHistory(known))
    }

    @Test(
        "Two refunds with one reference are reported once, for the first purchase", arguments: alike
    )
    func refunds(_ first: Transaction, _ second: Transaction) throws {
        for judged in [judgement(first, second), judgement(second, first)] {
            #expect(judged.outcome == ["refund_recorded"])
            #expect(try judged.only(.refundRecorded).transaction == first.id)
            #expect(judged.remembered.isEmpty)
        }
    }

    @Test("The refund is not reversed while one of the two purchases is cancelled")
    func reversals() {
        let stands = Transaction.once("3", "coins", bought: -8).ordered
        let told = LedgerEntry.refund("77", cancelled: -5)
        #expect(judgement(Self.coins, stands, after: told).kinds.isEmpty)
        #expect(judgement(stands, after: told).kinds == [.refundReversed])
    }
}

extension Transaction {
    fileprivate var ordered: Transaction {
        var transaction = self
        transaction.lineItem = "77"
        return transaction
    }

    fileprivate func restored(from original: TransactionID) -> Transaction {
        var transaction = self
        transaction.originalID = original
        return transaction
    }
}
