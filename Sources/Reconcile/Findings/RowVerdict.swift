/// The verdict on one stored row, or on an owed right without a row.
enum RowVerdict {
    case consistent
    case found(RowRule)
    /// Not reported, with the kind of the finding it would have been.
    case notReported(NotReported.Bucket, FindingKind?, NotReported.Cause)

    /// Of the finding that it is, or would have been.
    var kind: FindingKind? {
        switch self {
        case .consistent: nil
        case .found(let rule): rule.kind
        case .notReported(_, let kind, _): kind
        }
    }
}

extension RowCase {
    func verdict() -> RowVerdict {
        if user.evidence.isUnclaimed { return .notReported(.notJudged, nil, .unclaimed) }
        if let row {
            if let cause = user.causeNotJudged(row) { return .notReported(.notJudged, nil, cause) }
            if user.isInFlux(row) { return .notReported(.settling, nil, .changedAfterAsOf) }
        }
        guard isGranted || owed != nil else {
            let isDoubtful = user.isEvidenceMissing && !isEntitled && !isPaidForGood
            return isDoubtful ? .notReported(.unverified, nil, .evidenceMissing) : .consistent
        }
        if isGranted, isPaidForGood, !isEntitled { return .consistent }
        guard let rule = RowRules.all.first(where: { $0.matches(self) }) else {
            return isKnownToBeCancelled ? .notReported(.unverified, nil, .offline) : .consistent
        }
        if let cause = missingEvidence(for: rule) {
            return .notReported(.unverified, rule.kind, cause)
        }
        if isLeftUnmadeOffline(rule) { return .notReported(.unverified, rule.kind, .offline) }
        return user.settings.isSettling(rule.cause(self))
            ? .notReported(.settling, rule.kind, .recent) : .found(rule)
    }

    /// Why a leak is not reported. Findings of other directions only need positive proof.
    private func missingEvidence(for rule: RowRule) -> NotReported.Cause? {
        guard rule.kind.direction == .leak else { return nil }
        if let best, row?.source == .appStore, user.hasImplausibleDates(best) {
            return .datesUntrue
        }
        guard !rule.needsOnlyTheAnswer(self) else { return nil }
        if user.isEvidenceMissing { return .evidenceMissing }
        if best == nil, user.hasVanishedPurchase(of: right) { return .purchaseVanished }
        guard let row, row.source == .appStore else { return nil }
        if paidApp?.payment == .undecidable { return .paidVersionUndecidable }
        guard let newestProof = user.newestProofStoredAt, row.updatedAt > newestProof else {
            return nil
        }
        if user.kinds.kind(of: row.product) == .autoRenewable {
            // The service may know a subscription of another Apple account from a notification.
            let isUnknown = row.originalTransaction.map { !user.shows($0) } ?? false
            return isUnknown ? .subscriptionUnknown : nil
        }
        // A stored receipt does not show later purchases of other kinds.
        return best == nil ? .newerThanReceipts : nil
    }
}

extension RowCase {
    /// Whether facts after the receipt (decision 70) may disprove the finding: by its kind; because
    /// an earlier run saw the purchase cancelled; or because the service changed a row of the right
    /// more than `--settle` after the receipt was made.
    private func isLeftUnmadeOffline(_ rule: RowRule) -> Bool {
        guard !user.settings.knowsLaterFacts else { return false }
        if !rule.kind.isFoundOffline || isKnownToBeCancelled { return true }
        guard owed?.isForPaidApp != true, let madeAt = best?.covering.source.receipt.createdAt
        else { return false }
        let rows = owed == nil ? [row].compactMap(\.self) : user.judgedRows(of: right)
        return rows.contains { $0.updatedAt > madeAt + user.settings.settle }
    }

    /// Whether an earlier run saw a cancellation that was not reversed.
    private var isKnownToBeCancelled: Bool {
        guard !user.settings.knowsLaterFacts, let best else { return false }
        let reference = user.reference(ofRefundOf: best.covering)
        return user.history.refunds[reference].map { !$0.isReversed } ?? false
    }
}
