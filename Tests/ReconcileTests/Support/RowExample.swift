import Testing

@testable import Reconcile

/// A row of SPEC §5's first table, with the smallest world that shows it.
struct RowExample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var receipts: [ReceiptEvidence] = []
    let row: StoredEntitlement
    /// `consistent`, `settling`, `unverified`, `not_judged`, or the kind of the finding.
    let verdict: String
    var invalidReceipts = 0

    func check() {
        let judgement = Judge.acme.judgement(
            of: receipts, [row], invalidReceipts: invalidReceipts)
        let onRow = judgement.findings.filter { $0.entitlement == row.id }
        #expect(onRow.count <= 1)
        #expect((onRow.first?.kind.rawValue ?? judgement.bucket) == verdict)
        #expect(judgement.entitlements.isBalanced)
        #expect(judgement.entitlements.inScope == 1)
    }
}

func answers(_ transactions: Transaction..., renewals: [Renewal] = []) -> [ReceiptEvidence] {
    var receipt = Receipt.showing(renewals: renewals)
    receipt.transactions = transactions
    return [.stored(.verified(receipt))]
}

let billingRetry = [Renewal(originalID: "1", isInBillingRetry: true)]
let inGrace = [Renewal(originalID: "1", gracePeriodExpiresAt: .day(5))]
let unchecked = ReceiptEvidence.stored("r9", .unverified(.timeout))
