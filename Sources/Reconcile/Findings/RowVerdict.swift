// Judges one row, or an owed right without a row: the first rule that matches counts.
extension RowCase {
    func verdict() -> Verdict {
        if let row {
            if let cause = user.obstacle(to: row) { return .postponed(.notJudged, nil, cause) }
            if user.isInFlux(row) { return .postponed(.settling, nil, .changedAfterAsOf) }
        }
        guard isGranted || owed != nil else {
            let isDoubtful = user.isEvidenceMissing && !isEntitled && !isPaidForGood
            return isDoubtful ? .postponed(.unverified, nil, .evidenceMissing) : .consistent
        }
        if isGranted, isPaidForGood, !isEntitled { return .consistent }
        guard let rule = RowRules.all.first(where: { $0.matches(self) }) else {
            return isKnownToBeCancelled ? .postponed(.unverified, nil, .offline) : .consistent
        }
        if let cause = missingEvidence(for: rule) {
            return .postponed(.unverified, rule.kind, cause)
        }
        if isLeftUnmadeOffline(rule) { return .postponed(.unverified, rule.kind, .offline) }
        return user.settings.isSettling(rule.cause(self))
            ? .postponed(.settling, rule.kind, .recent) : .found(rule)
    }

    /// Why a leak is not reported: evidence that could disprove it is missing. Other directions
    /// only need positive proof.
    private func missingEvidence(for rule: RowRule) -> NotReported.Cause? {
        guard rule.kind.direction == .leak, !rule.needsOnlyTheAnswer(self) else { return nil }
        if user.isEvidenceMissing { return .evidenceMissing }
        guard let row, row.source == .appStore else { return nil }
        if paidApp?.verdict == .undecidable { return .paidVersionUndecidable }
        guard let newestProof = user.newestProofStoredAt, row.updatedAt > newestProof else {
            return nil
        }
        if user.kinds.kind(of: row.product) == .autoRenewable {
            // The subscription may be of another Apple account, which the service knows from a
            // notification.
            let isUnknown = row.originalTransaction.map { !user.shows($0) } ?? false
            return isUnknown ? .subscriptionUnknown : nil
        }
        // Later purchases of other kinds do not appear in a stored receipt.
        return best == nil ? .newerThanReceipts : nil
    }
}

// Offline, a receipt shows nothing that came after it (decision 70).
extension RowCase {
    /// Whether later facts may disprove the finding: by its kind; or because an earlier run saw the
    /// purchase cancelled; or because the service changed a row of the right more than `--settle`
    /// after the receipt was made, perhaps because of later facts.
    private func isLeftUnmadeOffline(_ rule: RowRule) -> Bool {
        guard user.settings.isOffline else { return false }
        if !rule.kind.isFoundOffline || isKnownToBeCancelled { return true }
        guard owed?.isForPaidApp != true, let madeAt = best?.covering.source.receipt.createdAt
        else { return false }
        let rows = owed == nil ? [row].compactMap(\.self) : user.judgedRows(of: right)
        return rows.contains { $0.updatedAt > madeAt + user.settings.settle }
    }

    /// Whether Apple told an earlier run of a cancellation after the receipt was made.
    private var isKnownToBeCancelled: Bool {
        guard user.settings.isOffline, let best else { return false }
        let reference = user.reference(ofRefundOf: best.covering)
        return user.history.refunds[reference].map { !$0.isReversed } ?? false
    }
}
