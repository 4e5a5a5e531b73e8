/// Judges one row, or a right that no row grants: the first table of SPEC §5.
extension RowCase {
    func verdict() -> Verdict {
        if let row {
            if let cause = user.obstacle(to: row) { return .putOff(.notJudged, nil, cause) }
            if user.isInFlux(row) { return .putOff(.settling, nil, .changedAfterAsOf) }
        }
        guard isGranted || owed != nil else {
            let isDoubtful = user.isEvidenceMissing && !isEntitled && !isPaidForGood
            return isDoubtful ? .putOff(.unverified, nil, .evidenceMissing) : .consistent
        }
        if isGranted, isPaidForGood, !isEntitled { return .consistent }
        guard let rule = RowRules.all.first(where: { $0.matches(self) }) else {
            return isKnownToBeCancelled ? .putOff(.unverified, nil, .offline) : .consistent
        }
        if let cause = missingEvidence(for: rule) {
            return .putOff(.unverified, rule.kind, cause)
        }
        if isLeftUnmadeOffline(rule) { return .putOff(.unverified, rule.kind, .offline) }
        return user.settings.isSettling(rule.cause(self))
            ? .putOff(.settling, rule.kind, .recent) : .found(rule)
    }

    /// Why the user is not accused: evidence that could speak for them is missing. What is owed,
    /// and what harms neither side, needs only the positive proof.
    private func missingEvidence(for rule: RowRule) -> NotReported.Cause? {
        guard rule.kind.direction == .leak, !rule.needsOnlyTheAnswer(self) else { return nil }
        if user.isEvidenceMissing { return .evidenceMissing }
        guard let row, row.source == .appStore else { return nil }
        if paidApp?.verdict == .undecidable { return .paidVersionUndecidable }
        guard let newestProof = user.newestProofStoredAt, row.updatedAt > newestProof else {
            return nil
        }
        if user.kinds.kind(of: row.product) == .autoRenewable {
            // A second account, which the service knows by a notification only.
            let isUnknown = row.originalTransaction.map { !user.shows($0) } ?? false
            return isUnknown ? .subscriptionUnknown : nil
        }
        // A stored receipt knows nothing of later purchases of the other kinds.
        return best == nil ? .newerThanReceipts : nil
    }
}

// What changes offline: a receipt knows nothing of what came after it (decision 70).
extension RowCase {
    /// Whether later facts may undo the finding: by its kind, since an earlier run saw the purchase
    /// cancelled that gives the right, or since the service has changed a row of the right so long
    /// after the receipt was made that it may have done so by what came after it.
    private func isLeftUnmadeOffline(_ rule: RowRule) -> Bool {
        guard user.settings.isOffline else { return false }
        if !rule.kind.isFoundOffline || isKnownToBeCancelled { return true }
        guard owed?.isForPaidApp != true, let madeAt = best?.covering.source.receipt.createdAt
        else { return false }
        let rows = owed == nil ? [row].compactMap(\.self) : user.judgedRows(of: right)
        return rows.contains { $0.updatedAt > madeAt + user.settings.settle }
    }

    /// Whether Apple has told an earlier run of a cancellation that the receipt is too old for.
    private var isKnownToBeCancelled: Bool {
        guard user.settings.isOffline, let best else { return false }
        let reference = user.reference(ofRefundOf: best.covering)
        return user.history.refunds[reference].map { !$0.isReversed } ?? false
    }
}
