/// A second look at a user of whom earlier runs left findings open that tonight's judgement does
/// not raise: is one no longer true, or could it only not be judged?
///
/// What could not be judged stays open (SPEC §5): an outage clears nothing.
package struct Reexamination: Sendable {
    let account: Account
    private let verdicts: [EntitlementID: Verdict]
    /// Findings that hold, those that settle included.
    private let stillTrue: Set<[UInt8]>
    private let unreadableRows: Set<EntitlementID>

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
        if open.kind.file == .receipts {
            return account.isOffline ? isReplaced(open) : isReceiptJudged(for: open)
        }
        guard let entitlement = open.entitlement else { return clearsWithoutRow(open) }
        if unreadableRows.contains(entitlement) { return false }
        let row = account.evidence.entitlements.first { $0.id == entitlement }
        guard let row else { return open.kind.needsGrant || hasProof(against: open) }
        if account.isInFlux(row) { return false }
        return isUndone(open, on: row) || clears(open, on: row)
    }

    /// What the service does, or says of the row, contradicts the finding: no answer of Apple's is
    /// needed to see that.
    private func isUndone(_ open: Finding, on row: StoredEntitlement) -> Bool {
        let isGranted = row.isGranted(asOf: account.settings.asOf)
        guard open.kind.needsGrant else {
            return isGranted || isCovered(account.catalog.right(of: row.product))
        }
        return !isGranted || account.isNeverJudged(row, for: open.kind)
            || (open.kind == .grantWithoutReceipt && !account.hasNoReceipt)
    }

    private func clears(_ open: Finding, on row: StoredEntitlement) -> Bool {
        guard !account.isOffline else { return isMended(open, on: row) }
        switch verdicts[row.id] {
        case .unverified, .settling, nil: return false
        // What nobody knows enough of to judge it stays open.
        case .notJudged:
            return account.isNeverJudged(row, for: open.kind) && !account.isEvidenceMissing
        case .consistent, .finding: return open.receipt == nil || hasProof(against: open)
        }
    }

    /// A right that no row was about, or a download key.
    private func clearsWithoutRow(_ open: Finding) -> Bool {
        let rows = account.evidence.entitlements.filter { row in
            account.catalog.right(of: row.product).reference == open.reference
        }
        if rows.contains(where: account.isInFlux) { return false }
        return rows.contains { $0.isGranted(asOf: account.settings.asOf) }
            || hasProof(against: open)
    }

    private func isCovered(_ right: Right) -> Bool {
        account.evidence.entitlements.contains { row in
            account.catalog.right(of: row.product) == right && !account.isInFlux(row)
                && row.isGranted(asOf: account.settings.asOf)
        }
    }

    /// Nothing is missing tonight, or at least nothing of the answer that the finding came from.
    private func hasProof(against open: Finding) -> Bool {
        guard !account.isOffline else { return false }
        guard account.isEvidenceMissing else { return true }
        switch validation(of: open.receipt) {
        case .verified(let receipt): return receipt.anomalies.isEmpty
        case .rejected: return true
        case .unusable, .unverified, nil: return false
        }
    }

    /// Whether the receipt that the finding is about was looked at and is gone, or is another by
    /// now. What a line said that was set aside is not known.
    func isReceiptJudged(for open: Finding) -> Bool {
        switch validation(of: open.receipt) {
        case .verified(let receipt): return receipt.anomalies.isEmpty || !open.kind.isAboutLines
        case .rejected: return true
        case .unusable(let why): return why != .storedRowInvalid
        case .unverified: return false
        case nil:
            return account.evidence.invalidReceipts == 0
        }
    }

    private func validation(of receipt: ReceiptID?) -> Validation? {
        account.evidence.receipts.first { $0.id == receipt }?.validation
    }
}

extension Account {
    /// By what the service says of the row the line of `kind` is not about it.
    fileprivate func isNeverJudged(_ row: StoredEntitlement, for kind: FindingKind) -> Bool {
        switch row.source {
        case .appStore: rules.kind(of: row.product) == .consumable
        case .legacyPaid:
            kind != .freemiumUndecidable && kind != .freemiumGrantedNotPaid
                && kind != .freemiumPaidNotGranted
        case .other: true
        }
    }
}

extension FindingKind {
    /// Lines of the first table that a row which grants nothing cannot match.
    fileprivate var needsGrant: Bool {
        switch self {
        case .refundReversedNotRestored, .activeNotGranted, .graceNotGranted, .ownedNotGranted,
            .freemiumPaidNotGranted:
            false
        default: FindingKind.ofStoredRows.contains(self)
        }
    }

    /// Findings on a receipt that single lines of Apple's answer make.
    fileprivate var isAboutLines: Bool {
        self == .implausibleDates || self == .receiptContradictsAnswer
    }
}
