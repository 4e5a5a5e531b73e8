import Testing

@testable import Reconcile
@testable import TestSupport

/// An answer whose renewal entry has no `original_transaction_id`, as in 2017.
struct UnnamedRenewal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let periods: [String]
    /// The members of each entry.
    let entries: [AppleLine.Members]
    /// The chains with a renewal that is in billing retry.
    let retrying: [TransactionID]

    var receipt: Receipt? {
        get throws {
            let text = AppleLine.answer(latest: periods, renewals: entries.map(AppleLine.json))
            return try VerifyReceiptAnswer.read(Array(text.utf8), from: .production).receipt
        }
    }
}

/// To add a case: an `UnnamedRenewal` with the periods that an answer shows, its renewal entries,
/// and the chains that are then in billing retry.
@Suite("A renewal entry that names no chain")
struct UnnamedRenewalTests {
    private static let ended = period("11", of: "1", to: -170)
    private static let recent = period("21", of: "2", to: -5)

    private static func period(
        _ id: String, of chain: String, _ product: String = "pro.monthly", to end: Double?,
        cancelled: Double? = nil
    ) -> String {
        AppleLine.once(
            id, of: chain, product, bought: (end ?? 0) - 30, cancelled: cancelled,
            [("expires_date_ms", end.map(AppleLine.ms))])
    }

    private static func retry(
        _ product: String? = "pro.monthly", next: String? = nil, chain: String? = nil
    ) -> AppleLine.Members {
        [
            ("product_id", product), ("auto_renew_product_id", next),
            ("original_transaction_id", chain), ("is_in_billing_retry_period", "1"),
        ]
    }

    @Test(
        "It is of the chain with the transaction of its product that ends last",
        arguments: [
            UnnamedRenewal(
                testDescription: "of two chains the one that ends last",
                periods: [recent, ended], entries: [retry()], retrying: ["2"]),
            UnnamedRenewal(
                testDescription: "in any order", periods: [ended, recent], entries: [retry()],
                retrying: ["2"]),
            UnnamedRenewal(
                testDescription: "of equals the greatest id, as numbers",
                periods: [period("11", of: "9", to: 5), period("21", of: "10", to: 5)],
                entries: [retry()], retrying: ["10"]),
            UnnamedRenewal(
                testDescription: "a cancelled period ends when it was to end",
                periods: [recent, period("31", of: "3", to: 9, cancelled: -8)],
                entries: [retry()], retrying: ["3"]),
            UnnamedRenewal(
                testDescription: "another product's chain is none, however late it ends",
                periods: [recent, period("31", of: "3", "max.monthly", to: 20)],
                entries: [retry()], retrying: ["2"]),
            UnnamedRenewal(
                testDescription: "without a transaction of its product it is of none",
                periods: [recent], entries: [retry("max.monthly", next: "pro.monthly")],
                retrying: []),
            UnnamedRenewal(
                testDescription: "without a product, of that which it renews as",
                periods: [recent, ended], entries: [retry(nil, next: "pro.monthly")],
                retrying: ["2"]),
            UnnamedRenewal(
                testDescription: "a transaction without an end is of no chain",
                periods: [period("41", of: "4", to: nil)], entries: [retry()], retrying: []),
        ])
    func ofLastChain(answer: UnnamedRenewal) throws {
        let renewals = try answer.receipt?.renewals
        #expect(renewals?.filter(\.isInBillingRetry).map(\.originalID) == answer.retrying)
        #expect(renewals?.count == answer.retrying.count)
    }

    @Test("An entry that names the chain goes before it")
    func named() throws {
        let named: AppleLine.Members = [
            ("product_id", "pro.monthly"), ("original_transaction_id", "2"),
            ("auto_renew_status", "1"),
        ]
        let answer = UnnamedRenewal(
            testDescription: "", periods: [Self.recent], entries: [Self.retry(), named],
            retrying: [])
        #expect(try answer.receipt?.renewals.map(\.isInBillingRetry) == [false])
    }
}
