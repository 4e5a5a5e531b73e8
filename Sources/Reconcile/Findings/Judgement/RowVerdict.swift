/// The first table of SPEC §5, line by line, for one stored row.
extension Account {
    func verdict(on row: StoredEntitlement) -> Verdict {
        guard row.source == .appStore, rules.isJudged(row.product) else { return .notJudged }
        guard row.updatedAt <= settings.asOf else { return .settling }
        let grantors = grantors(for: row)
        let best = grantors.first
        let isEntitled = best?.entitles ?? false
        let isPaidForLife = grandfathering.verdict(on: row.product) == .paid
        guard row.isGranted(asOf: settings.asOf) else {
            let isDoubtful = isEvidenceMissing && !isEntitled && !isPaidForLife
            return isDoubtful ? .unverified : .consistent
        }
        if isPaidForLife, !isEntitled { return .consistent }
        guard let match = firstLine(row, grantors, isPaidForLife: isPaidForLife) else {
            return .consistent
        }
        if match.kind.direction == .leak, isBlind(to: row, best) { return .unverified }
        if settings.isSettling(match.cause) { return .settling }
        return .finding(match.kind, best)
    }

    /// A line of the table that a row matches, and since when.
    struct Match {
        let kind: FindingKind
        /// Nil: the finding never settles.
        let cause: Instant?
    }

    /// The first line that a granted row matches; nil: none.
    private func firstLine(
        _ row: StoredEntitlement, _ grantors: [Grantor], isPaidForLife: Bool
    ) -> Match? {
        guard let best = grantors.first else {
            return Match(kind: kindWithoutGrantor(row), cause: row.updatedAt)
        }
        switch best.state {
        case .revoked: return Match(kind: .refundedStillGranted, cause: best.endsAt)
        case .familyRevoked: return Match(kind: .familyRevokedStillGranted, cause: best.endsAt)
        case .billingRetry: return Match(kind: .billingRetryStillGranted, cause: best.goneAt)
        case .expired: return Match(kind: .expiredStillGranted, cause: best.goneAt)
        case .active, .grace: break
        }
        guard row.product == best.product else { return nil }
        let kind = expiryKind(row, best, grantors, isWithoutEnd: isPaidForLife)
        return kind.map { Match(kind: $0, cause: best.covering.purchasedAt) }
    }

    /// Nothing of Apple's, past or present, gives the row's right.
    private func kindWithoutGrantor(_ row: StoredEntitlement) -> FindingKind {
        let right = catalog.right(of: row.product)
        if hasNoReceipt { return .grantWithoutReceipt }
        if rightsInOtherApps.contains(right) { return .wrongAppReceipt }
        if rightsInSandbox.contains(right) || hasXcodeReceipt { return .sandboxGrantsProduction }
        return .grantWithoutTransaction
    }

    /// Both grant the same product: do they agree on the end?
    private func expiryKind(
        _ row: StoredEntitlement, _ best: Grantor, _ grantors: [Grantor], isWithoutEnd: Bool
    ) -> FindingKind? {
        let entitling = grantors.filter(\.entitles)
        let latestEnd =
            isWithoutEnd ? .distantFuture : entitling.map(\.lastInstant).max() ?? .distantFuture
        guard let stored = row.expiresAt else {
            return latestEnd == .distantFuture ? nil : .expiryMissing
        }
        if stored > latestEnd + settings.tolerance { return .expiryTooLate }
        if stored < best.lastInstant - settings.tolerance { return .expiryTooEarly }
        return nil
    }

    /// Whether something that could speak for the user is missing, so that nobody is accused.
    private func isBlind(to row: StoredEntitlement, _ best: Grantor?) -> Bool {
        if isEvidenceMissing || grandfathering.verdict(on: row.product) == .undecidable {
            return true
        }
        guard best == nil, let newestProofStoredAt else { return false }
        // A stored receipt knows nothing of later purchases of these kinds.
        let kind = rules.kind(of: row.product)
        return (kind == .nonConsumable || kind == .nonRenewing)
            && row.updatedAt > newestProofStoredAt
    }
}
