/// A second look at a user of whom earlier runs left findings open that tonight's judgement does
/// not raise: is one no longer true, or could it only not be judged?
///
/// What could not be judged stays open (SPEC §5): an outage clears nothing.
package struct Reexamination: Sendable {
    let account: Account
    private let verdicts: [EntitlementID: Verdict]
    /// Findings that hold, those that settle included.
    private let stillTrue: Set<[UInt8]>
    let unreadableRows: Set<EntitlementID>

    /// - Parameter unreadableRows: stored rows with a null, which are not in `evidence`.
    package init(
        _ evidence: UserEvidence, history: UserHistory, unreadableRows: Set<EntitlementID>,
        by judge: Judge
    ) {
        var settings = judge.settings
        settings.settle = .zero
        let judge = Judge(catalog: judge.catalog, settings: settings)
        let judgement = judge.judgement(of: evidence, history: history)
        account = Account(
            evidence, catalog: judge.catalog, settings: settings, history: history)
        verdicts = Dictionary(
            zip(evidence.entitlements.map(\.id), judgement.verdicts), uniquingKeysWith: { $1 })
        stillTrue = Set(judgement.findings.map(\.fingerprint))
        self.unreadableRows = unreadableRows
    }

    /// Whether tonight's evidence shows that `open`, which was not raised, is no longer true.
    package func clears(_ open: Finding) -> Bool {
        if stillTrue.contains(open.fingerprint) { return false }
        if account.isOffline { return clearsOffline(open) }
        if open.kind.file == .receipts { return isReceiptRead(open.receipt, ifGone: true) }
        guard let entitlement = open.entitlement else { return clearsWithoutRow(open) }
        if unreadableRows.contains(entitlement) { return false }
        let row = account.evidence.entitlements.first { $0.id == entitlement }
        guard let row else { return open.kind.needsGrant || hasProof(against: open) }
        if row.updatedAt > account.settings.asOf { return false }
        return clears(open, on: row)
    }

    private func clears(_ open: Finding, on row: StoredEntitlement) -> Bool {
        // These are about what the service does: no answer of Apple's is needed to see it undone.
        if open.kind.needsGrant, !row.isGranted(asOf: account.settings.asOf) { return true }
        if open.kind == .grantWithoutReceipt, !account.hasNoReceipt { return true }
        switch verdicts[row.id] {
        case .unverified, .settling, nil: return false
        case .notJudged: return !account.isEvidenceMissing
        case .consistent, .finding:
            return open.receipt == nil || hasProof(against: open)
        }
    }

    /// A right that no row was about, or a download key.
    private func clearsWithoutRow(_ open: Finding) -> Bool {
        let right = open.productApple.map(account.catalog.right)
        let isInFlux = account.evidence.entitlements.contains { row in
            row.updatedAt > account.settings.asOf && account.catalog.right(of: row.product) == right
        }
        return !isInFlux && hasProof(against: open)
    }

    /// Nothing is missing tonight, or at least not the answer that the finding came from.
    private func hasProof(against open: Finding) -> Bool {
        !account.isEvidenceMissing || isReceiptRead(open.receipt, ifGone: false)
    }

    func isReceiptRead(_ id: ReceiptID?, ifGone: Bool) -> Bool {
        let evidence = account.evidence
        guard let receipt = evidence.receipts.first(where: { $0.id == id }) else {
            return ifGone && !evidence.hasUnreadReceipts && evidence.invalidReceipts == 0
        }
        switch receipt.validation {
        case .verified, .rejected: return true
        case .unusable(let why): return ifGone && why != .storedRowInvalid
        case .unverified: return false
        }
    }
}

extension FindingKind {
    /// Lines of the first table that a row which grants nothing cannot match.
    var needsGrant: Bool {
        switch self {
        case .refundReversedNotRestored, .activeNotGranted, .graceNotGranted, .ownedNotGranted,
            .freemiumPaidNotGranted:
            false
        default: FindingKind.ofStoredRows.contains(self)
        }
    }
}
