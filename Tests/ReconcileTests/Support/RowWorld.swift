@testable import Reconcile

/// One stored row, Apple's answers about its user, and the user's other rows.
struct RowWorld: Sendable {
    var receipts: [ReceiptEvidence] = []
    var row: StoredEntitlement
    var others: [StoredEntitlement] = []
    var history = UserHistory()

    var judgement: Judgement {
        Judge.acme.judgement(
            of: UserEvidence(user: "u", receipts: receipts, entitlements: [row] + others),
            history: history)
    }

    /// `consistent`, `settling`, `unverified`, `not_judged`, or the kind of the row's finding.
    var verdict: String {
        if let finding { return finding.kind.rawValue }
        // A right without a granting row may change a verdict, but only that of a row that is not
        // granted.
        guard !others.isEmpty else { return judgement.bucket }
        let user = UserCase(
            UserEvidence(user: "u", receipts: receipts, entitlements: [row] + others),
            catalog: .acme, settings: JudgingSettings(asOf: .asOf))
        return Judgement(
            findings: [], entitlements: EntitlementTally([RowCase(row, of: user).verdict()])
        ).bucket
    }

    var finding: Finding? { judgement.findings.first { $0.entitlement == row.id } }

    var hidden: RowWorld {
        var world = self
        world.receipts.append(unchecked)
        return world
    }

    var inFlux: RowWorld {
        var world = self
        world.row = row.updated(0.001)
        return world
    }
}
