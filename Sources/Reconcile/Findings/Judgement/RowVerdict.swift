/// The first table of SPEC §5, line by line, for one stored row.
extension Account {
    func verdict(on row: StoredEntitlement) -> Verdict {
        guard isJudged(row) else { return .notJudged }
        guard !isInFlux(row) else { return .settling }
        let grantors = grantors(for: row)
        let isEntitled = grantors.first?.entitles ?? false
        let isPaidForLife = grandfathering.verdict(on: row.product) == .paid
        guard row.isGranted(asOf: settings.asOf) else {
            let isDoubtful = isEvidenceMissing && !isEntitled && !isPaidForLife
            return isDoubtful ? .unverified : .consistent
        }
        if isPaidForLife, !isEntitled { return .consistent }
        let match =
            row.source == .legacyPaid
            ? kindOfLegacy(row, isEntitled: isEntitled)
            : firstLine(row, grantors, isPaidForLife: isPaidForLife)
        guard let kind = match else {
            return isKnownToBeCancelled(grantors.first) ? .unverified : .consistent
        }
        if kind.direction == .leak, isBlind(to: row, grantors.first) { return .unverified }
        if isWithheld(kind, by: grantors.first) || isOutdated(grantors.first, by: [row]) {
            return .unverified
        }
        let cause = cause(of: kind, row: row, grantor: grantors.first)
        return settings.isSettling(cause) ? .settling : .finding(kind, grantors.first)
    }

    /// Rows of the App Store are judged by what Apple shows of their product; those of an app that
    /// was paid for only where an answer speaks of it; others never.
    func isJudged(_ row: StoredEntitlement) -> Bool {
        switch row.source {
        case .appStore: rules.isJudged(row.product)
        case .legacyPaid: grandfathering.verdict(on: row.product) != nil
        case .other: false
        }
    }

    /// The service has changed the row since the instant that everything is judged at.
    func isInFlux(_ row: StoredEntitlement) -> Bool { row.updatedAt > settings.asOf }

    /// The first line that a granted row matches; nil: none.
    private func firstLine(
        _ row: StoredEntitlement, _ grantors: [Grantor], isPaidForLife: Bool
    ) -> FindingKind? {
        guard let best = grantors.first else { return kindWithoutGrantor(row) }
        switch best.state {
        case .revoked: return .refundedStillGranted
        case .familyRevoked: return .familyRevokedStillGranted
        case .billingRetry: return .billingRetryStillGranted
        case .expired: return .expiredStillGranted
        case .active, .grace: break
        }
        guard row.product == best.product else { return kindOfOtherProduct(row, best) }
        return expiryKind(row, best, grantors, isWithoutEnd: isPaidForLife)
            ?? labelKind(row, best)
    }

    /// Nothing of Apple's, past or present, gives the row's right.
    private func kindWithoutGrantor(_ row: StoredEntitlement) -> FindingKind {
        let right = catalog.right(of: row.product)
        if hasNoReceipt { return .grantWithoutReceipt }
        if purchasesInOtherApps[right] != nil { return .wrongAppReceipt }
        if purchasesInSandbox[right] != nil || xcodeReceipt != nil {
            return .sandboxGrantsProduction
        }
        return .grantWithoutTransaction
    }

    /// A row of an app that was paid for before it became free, which the user did not pay for.
    private func kindOfLegacy(_ row: StoredEntitlement, isEntitled: Bool) -> FindingKind? {
        guard !isEntitled else { return nil }
        switch grandfathering.verdict(on: row.product) {
        case .undecidable: return .freemiumUndecidable
        case .notPaid: return .freemiumGrantedNotPaid
        case .paid, nil: return nil
        }
    }

    /// Both grant, but not the same product.
    private func kindOfOtherProduct(_ row: StoredEntitlement, _ best: Grantor) -> FindingKind {
        if otherGrantedRow(than: row, of: best.product) != nil { return .duplicateGrant }
        let (stored, shown) = (catalog.products[row.product], catalog.products[best.product])
        guard let group = stored?.group, group == shown?.group, let own = stored?.serviceLevel,
            let others = shown?.serviceLevel, own != others
        else { return .productMismatch }
        // 1 is the highest.
        return others < own ? .upgradeNotApplied : .downgradeNotApplied
    }

    /// Another row of the App Store that grants `product`; of several the one with the smallest id.
    func otherGrantedRow(
        than row: StoredEntitlement, of product: ProductID
    ) -> StoredEntitlement? {
        evidence.entitlements.filter { other in
            other.id != row.id && other.source == .appStore && other.product == product
                && other.isGranted(asOf: settings.asOf)
        }.min { $0.id < $1.id }
    }

    /// Both grant the same product: do they agree on the end?
    private func expiryKind(
        _ row: StoredEntitlement, _ best: Grantor, _ grantors: [Grantor], isWithoutEnd: Bool
    ) -> FindingKind? {
        let latestEnd = isWithoutEnd ? .distantFuture : Self.latestEnd(of: grantors)
        guard let stored = row.expiresAt else {
            return latestEnd == .distantFuture ? nil : .expiryMissing
        }
        if stored > latestEnd + settings.tolerance { return .expiryTooLate }
        if stored < best.lastInstant - settings.tolerance { return .expiryTooEarly }
        return nil
    }

    /// The latest end that entitling grantors give; no end is the latest.
    static func latestEnd(of grantors: [Grantor]) -> Instant {
        grantors.filter(\.entitles).map(\.lastInstant).max() ?? .distantFuture
    }

    /// Both grant the same product to the same end: do they agree on whose it is, and on whether
    /// it renews?
    private func labelKind(_ row: StoredEntitlement, _ best: Grantor) -> FindingKind? {
        if let stored = row.ownership, let shown = best.covering.ownership, stored != shown {
            return .ownershipMismatch
        }
        if let stored = row.autoRenew, let shown = best.renewal?.willRenew, stored != shown {
            return .labelStale
        }
        return nil
    }

    /// Whether something that could speak for the user is missing, so that nobody is accused.
    private func isBlind(to row: StoredEntitlement, _ best: Grantor?) -> Bool {
        if isEvidenceMissing { return true }
        guard row.source == .appStore else { return false }
        if grandfathering.verdict(on: row.product) == .undecidable { return true }
        guard best == nil, let newestProofStoredAt else { return false }
        // A stored receipt knows nothing of later purchases of these kinds.
        let kind = rules.kind(of: row.product)
        return (kind == .nonConsumable || kind == .nonRenewing)
            && row.updatedAt > newestProofStoredAt
    }
}
