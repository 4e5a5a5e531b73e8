/// Decides which open findings that this run does not raise stay open: those that could not be
/// judged. An outage clears nothing.
struct OpenFindings {
    private let user: UserCase
    private let verdictsOnRows: [EntitlementID: RowVerdict]
    /// Findings of rows and rights that are settling, unverified or not judged in this run.
    private let unreported: Set<FindingIdentity>

    init(_ user: UserCase, _ verdicts: RowVerdicts) {
        self.user = user
        guard !user.history.entries.isEmpty else {
            verdictsOnRows = [:]
            unreported = []
            return
        }
        verdictsOnRows = Dictionary(
            verdicts.rows.compactMap { rowCase, verdict in rowCase.row.map { ($0.id, verdict) } },
            uniquingKeysWith: { $1 })
        unreported = Set(verdicts.unreportedFindings)
    }

    /// - Parameter found: the findings of this run.
    func unjudged(excluding found: [Finding]) -> [String] {
        // Findings that compare users are decided at the end of the run.
        let open = user.history.open.filter { entry in
            !FactRules.acrossUsers.contains(entry.identity.kind)
        }
        guard !open.isEmpty else { return [] }
        let found = Set(found.map(\.identity))
        return open.filter { !found.contains($0.identity) && !isOver($0) }.map(\.id)
    }

    private var knowsLaterFacts: Bool { user.settings.knowsLaterFacts }

    private func isOver(_ open: LedgerEntry) -> Bool {
        if unreported.contains(open.identity) { return false }
        let kind = open.identity.kind
        if kind.file == .receipts, let rule = FactRules.all.first(where: { $0.kind == kind }) {
            return knowsLaterFacts ? isReceiptJudged(for: open, rule) : isReplaced(open, rule)
        }
        if FactRules.ofDownloadKeys.contains(kind) { return isKeyJudged(for: open) }
        guard let rule = RowRules.all.first(where: { $0.kind == kind }) else { return true }
        guard let entitlement = open.identity.entitlement else { return isOverWithoutRow(open) }
        if user.evidence.unreadableEntitlements.contains(entitlement) { return false }
        let row = user.evidence.entitlements.first { $0.id == entitlement }
        guard let row else { return rule.subject == .grantedRow || hasProof(against: open) }
        if user.isInFlux(row) { return false }
        return isUndone(rule, on: row) || isOver(open, rule, on: row)
    }

    /// Whether the stored data alone contradicts the finding. Then Apple's answer is not needed.
    private func isUndone(_ rule: RowRule, on row: StoredEntitlement) -> Bool {
        guard rule.subject == .grantedRow else {
            return user.isGranted(row) || isCovered(user.catalog.right(of: row.product))
        }
        return !user.isGranted(row) || isNeverJudged(row, by: rule)
            || rule.isUndone(RowCase(row, of: user))
    }

    private func isOver(
        _ open: LedgerEntry, _ rule: RowRule, on row: StoredEntitlement
    ) -> Bool {
        guard knowsLaterFacts else { return rule.isUndoneOffline(RowCase(row, of: user)) }
        switch verdictsOnRows[row.id] {
        case .notReported(.notJudged, _, _):
            return isNeverJudged(row, by: rule) && !user.isEvidenceMissing
        // Settling: the row would get another finding in this run.
        case .notReported(.settling, _?, _): return hasProof(against: open)
        case .notReported, nil: return false
        case .consistent, .found: return open.receipt == nil || hasProof(against: open)
        }
    }

    private func isOverWithoutRow(_ open: LedgerEntry) -> Bool {
        let rows = user.evidence.entitlements.filter { row in
            user.catalog.right(of: row.product).reference == open.identity.reference
        }
        if rows.contains(where: user.isInFlux) { return false }
        return rows.contains(where: user.isGranted) || hasProof(against: open)
    }

    private func isCovered(_ right: Right) -> Bool {
        user.evidence.entitlements.contains { row in
            user.catalog.right(of: row.product) == right && !user.isInFlux(row)
                && user.isGranted(row)
        }
    }

    /// Whether the rule does not apply to the row because of its source or its product's kind.
    private func isNeverJudged(_ row: StoredEntitlement, by rule: RowRule) -> Bool {
        switch row.source {
        case .appStore: user.kinds.kind(of: row.product) == .consumable
        case .legacyPaid: !rule.isAboutPaidApps
        case .other: true
        }
    }

    // MARK: Evidence

    /// Whether no evidence is missing, or at least the answer that the finding came from was read.
    private func hasProof(against open: LedgerEntry) -> Bool {
        guard knowsLaterFacts else { return false }
        guard user.isEvidenceMissing else { return true }
        switch validation(of: open.receipt) {
        case .verified(let receipt): return receipt.anomalies.isEmpty
        case .rejected(let why): return why != .accountGone
        case .unusable, .unverified, nil: return false
        }
    }

    /// Whether the receipt was judged or no longer exists. With malformed entries, a finding about
    /// transactions is not judged.
    private func isReceiptJudged(for open: LedgerEntry, _ rule: FactRule) -> Bool {
        switch validation(of: open.receipt) {
        case .verified(let receipt):
            return receipt.anomalies.isEmpty || rule.basis != .transactions
        case .rejected: return true
        case .unusable(let why): return why != .storedRowInvalid
        case .unverified: return false
        case nil: return user.evidence.invalidReceipts == 0
        }
    }

    /// Whether the receipt has no live keys, or its answer was read without malformed entries.
    private func isKeyJudged(for open: LedgerEntry) -> Bool {
        let isKeyed = user.evidence.downloadKeys.contains { key in
            key.receipt == open.receipt && key.isLive(asOf: user.settings.asOf)
        }
        guard isKeyed else { return true }
        guard knowsLaterFacts, case .verified(let receipt) = validation(of: open.receipt)
        else { return false }
        return receipt.anomalies.isEmpty
    }

    private func validation(of receipt: ReceiptID?) -> Validation? {
        user.evidence.receipts.first { $0.id == receipt }?.validation
    }

    // MARK: Offline

    /// Whether the receipt was removed, or a finding's stored text was replaced by a receipt.
    private func isReplaced(_ open: LedgerEntry, _ rule: FactRule) -> Bool {
        let isThere = user.evidence.receipts.contains { $0.id == open.receipt }
        return (!isThere || rule.basis == .storedText) && isReceiptJudged(for: open, rule)
    }
}
