import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport
@testable import reconcile_job

@Suite("The same customers, told by verifyReceipt and by the App Store Server API")
struct SameCustomersTests {
    /// What both sources tell of a transaction.
    private struct Told: Equatable {
        let product: ProductID?
        let purchasedAt: Instant?
        let expiresAt: Instant?
        var cancelledAt: Instant?
        let isUpgraded: Bool

        init(_ transaction: Reconcile.Transaction) {
            product = transaction.product
            purchasedAt = transaction.purchasedAt
            expiresAt = transaction.expiresAt
            cancelledAt = transaction.cancelledAt
            isUpgraded = transaction.isUpgraded
        }

        init(_ transaction: SignedTransaction) {
            product = transaction.product
            purchasedAt = transaction.purchasedAt.instant
            expiresAt = transaction.expiresAt.instant
            cancelledAt = transaction.revokedAt.instant
            isUpgraded = transaction.isUpgraded
        }
    }

    @Test(
        "Transactions of a receipt have the same dates in both, some refunds of parts aside",
        arguments: [1, 3])
    func isTheSame(night: Int) throws {
        let store = SimulatedStore.demo(customers: 500, night: night)
        var compared = 0
        var partRefunds = 0
        for number in 0..<store.customers {
            let customer = store.customer(number)
            for file in customer.receipts where file.form == .genuine {
                let known = store.account(file.account, of: customer)
                // One date of these is malformed in verifyReceipt's answer.
                guard known.account.recognition == .genuine, !known.account.isGarbled else {
                    continue
                }
                let receipt = try receipt(of: file, customer, in: store)
                guard let id = receipt.transactions.first?.id.text else { continue }
                let teller = known.teller(in: store)
                let told = try teller.transactions(try #require(Int64(id)))
                let byID = Dictionary(
                    uniqueKeysWithValues: told.compactMap { one in one.id.map { ($0, one) } })
                for transaction in receipt.transactions {
                    let other = try #require(byID[transaction.id], "\(transaction.id)")
                    compared += 1
                    let isPartRefunded = known.transactions.contains {
                        String($0.id) == transaction.id.text && $0.partRefundedAt != nil
                    }
                    var expected = Told(other)
                    if isPartRefunded {
                        partRefunds += 1
                        expected.cancelledAt = nil
                    }
                    #expect(Told(transaction) == expected, "customer \(number)")
                }
                try compare(receipt.renewals, with: teller, known)
            }
        }
        #expect(compared > 2_500)
        #expect((1..<5).contains(partRefunds))
    }

    private func compare(
        _ renewals: [Reconcile.Renewal], with teller: APITeller, _ known: KnownAccount
    ) throws {
        let items = try teller.statuses(known.id).items
        let told = try items.map { SignedRenewal(try teller.payload($0.signedRenewalInfo)) }
        for renewal in renewals {
            let other = try #require(told.first { $0.originalID == renewal.originalID })
            #expect(renewal.willRenew == other.willRenew)
            #expect(renewal.isInBillingRetry == other.isInBillingRetry)
            #expect(renewal.gracePeriodExpiresAt == other.gracePeriodExpiresAt.instant)
        }
    }

    private func receipt(
        of file: ReceiptFile, _ customer: Customer, in store: SimulatedStore
    ) throws -> Receipt {
        var file = file
        file.damage = .none
        let text = file.text(of: customer, seed: store.seed, mint: ReceiptMint())
        let account = customer.accounts[file.account]
        let body = #"{"receipt-data":"\#(text)","password":"\#(account.app.secret)"}"#
        let environment: SimulatedEnvironment = account.isSandbox ? .sandbox : .production
        let bytes = Verifier(store: store).answer(to: Array(body.utf8), at: environment).body
        let server: StoreEnvironment = account.isSandbox ? .sandbox : .production
        return try #require(try VerifyReceiptAnswer.read(bytes, from: server).receipt)
    }

    /// The state that Apple's `status` says, by story.
    @Test(
        "A subscription has Apple's status",
        arguments: [
            (story: Story.subscriber, status: 1), (.lapsed, 2), (.billingRetry, 3), (.grace, 4),
            (.refunded, 5), (.refundedAfterExpiry, 2), (.refundedEarlier, 1), (.familyLeft, 5),
            (.trialing, 1), (.upgraded, 1), (.downgrading, 1), (.notRenewing, 1),
        ])
    func statuses(story: Story, status: Int) throws {
        let store = SimulatedStore.demo()
        let account = try store.account(living: story)
        let teller = account.teller(in: store)
        let item = try #require(try teller.statuses(account.id).items.first)
        #expect(item.status == status)
        let transaction = SignedTransaction(try teller.payload(item.signedTransactionInfo))
        #expect(transaction.originalID?.text == item.originalTransactionId)
    }

    @Test("Finished consumables, partial refunds, prices and buyers are the API's alone")
    func tellsMore() throws {
        let store = SimulatedStore.demo()
        let buyer = try store.account(living: .coinBuyer) { account in
            account.finished.contains { $0.cancelledAt != nil }
        }
        let told = try buyer.teller(in: store).transactions(buyer.id)
        let refund = try #require(
            buyer.account.finished.first { $0.cancelledAt != nil })
        #expect(!buyer.account.seen(at: store.now).contains { $0.id == refund.id })
        let shown = try #require(told.first { $0.id?.text == String(refund.id) })
        #expect(shown.type == "Consumable")
        #expect(shown.quantity == refund.quantity)
        #expect(shown.revokedAt.instant?.milliseconds == refund.cancelledAt?.milliseconds)
        let partly = try store.account(living: .refunded) { account in
            account.subscriptions.contains { $0.periods.contains { $0.refundedShare != nil } }
        }
        let part = try #require(
            try partly.teller(in: store).transactions(partly.id).first {
                $0.revocationType == "REFUND_PRORATED"
            })
        #expect((1..<100_000).contains(part.revocationPercentage ?? 0))
        #expect(part.price ?? 0 > 0)
        #expect(part.currency?.count == 3)
        let shared = try store.account(living: .sharedByPayer)
        let tokens = try shared.teller(in: store).transactions(shared.id).map(\.appAccountToken)
        #expect(shared.customer.users.count == 2)
        #expect(Set(tokens) == [shared.customer.users[0]])
    }
}
