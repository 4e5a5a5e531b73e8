@testable import Reconcile

/// One stored row, Apple's answers about its user, and the user's other rows.
struct RowWorld: Sendable {
    var receipts: [ReceiptEvidence] = []
    var row: StoredEntitlement
    var others: [StoredEntitlement] = []
    var history = UserHistory()

    var judgement: Judgement { Judge.acme.judgement(of: receipts, [row] + others, after: history) }

    /// `consistent`, `settling`, `unverified`, `not_judged`, or the kind of the row's finding.
    var verdict: String {
        if let finding { return finding.kind.rawValue }
        // A right without a granting row may change a verdict, but only that of a row that is not
        // granted.
        guard !others.isEmpty else { return judgement.bucket }
        let user = UserCase(
            UserEvidence(user: "u", receipts: receipts, entitlements: [row] + others),
            catalog: .acme, settings: Judge.acme.settings)
        let tally = EntitlementTally([RowCase(row, of: user).verdict()])
        return Judgement(findings: [], entitlements: tally).bucket
    }

    var finding: Finding? { judgement.findings.first { $0.entitlement == row.id } }

    var hidden: RowWorld {
        var world = self
        world.receipts.append(unchecked)
        return world
    }

    var inFlux: RowWorld {
        var world = self
        world.row = StoredEntitlement(
            id: row.id, user: row.user, product: row.product,
            originalTransaction: row.originalTransaction, isActive: row.isActive,
            expiresAt: row.expiresAt, autoRenew: row.autoRenew, ownership: row.ownership,
            source: row.source, updatedAt: .day(0.001))
        return world
    }
}
