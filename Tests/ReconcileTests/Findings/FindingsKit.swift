import Testing

@testable import Reconcile

/// A receipt r1 with this answer from Apple.
func verified(_ receipt: Receipt) -> [ReceiptEvidence] { [.stored(.verified(receipt))] }

extension Receipt {
    static func showing(_ transactions: [Transaction], renewals: [Renewal] = []) -> Receipt {
        var receipt = Receipt.showing(renewals: renewals)
        receipt.transactions = transactions
        return receipt
    }
}

/// An answer that shows when the customer first got the app.
func got(_ version: String?, _ transactions: Transaction...) -> [ReceiptEvidence] {
    var receipt = Receipt.showing(version: version)
    receipt.transactions = transactions
    return verified(receipt)
}

let anomaly = ParseAnomaly(key: "product_id")

extension Renewal {
    static func grace(until end: Double, retries: Bool = false, of chain: TransactionID = "1")
        -> Renewal
    { Renewal(originalID: chain, isInBillingRetry: retries, gracePeriodExpiresAt: .day(end)) }
}

extension RowWorld {
    init(
        _ receipts: [ReceiptEvidence], _ row: StoredEntitlement,
        others: [StoredEntitlement] = [], history: [LedgerEntry] = []
    ) {
        self.init(receipts: receipts, row: row, others: others, history: UserHistory(history))
    }
}

extension Finding {
    /// For example `critical leak`.
    var weighed: String { "\(severity) \(direction)" }
}

extension Judgement {
    func only(_ kind: FindingKind) throws -> Finding {
        let found = findings.filter { $0.kind == kind }
        #expect(found.count == 1)
        return try #require(found.first)
    }
}

extension AppleLine {
    /// An entry of `pending_renewal_info`.
    static func renewal(
        of chain: String = "1", grace: Double? = nil, with more: Members = [:]
    ) -> String {
        let end = grace.map { Instant.day($0).milliseconds }
        let gracePeriod = end.map { #","grace_period_expires_date_ms":"\#($0)""# } ?? ""
        let members = more.map { #","\#($0.key)":"\#($0.value)""# }.joined()
        return #"{"original_transaction_id":"\#(chain)""# + gracePeriod + members + "}"
    }
}

typealias Situation = (title: String, receipts: [ReceiptEvidence], rows: [StoredEntitlement])

/// Cases under their complete outcome, for example `consistent, expired`: the words of
/// `Judgement.outcome`, in any order.
func cases(_ table: KeyValuePairs<String, [Situation]>) -> [AnsweredCase] {
    table.flatMap { outcome, situations in
        situations.map { situation in
            AnsweredCase(
                situation.title, situation.receipts, situation.rows,
                expected: outcome.split(separator: ", ").map(String.init))
        }
    }
}
