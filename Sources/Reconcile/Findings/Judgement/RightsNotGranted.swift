/// What Apple's answers entitle the user to and no granted row covers (SPEC §5).
extension Account {
    /// A right that is due, and by what.
    struct OwedRight {
        let kind: FindingKind
        let right: Right
        /// The product that gives it.
        let product: ProductID
        /// The best grantor; nil or one that is over where only the original version of the app
        /// gives the right.
        let grantor: Grantor?

        fileprivate var isByVersion: Bool { kind == .freemiumPaidNotGranted }
    }

    /// One finding a right. One that stands on a stored row becomes that row's verdict; the others
    /// are returned.
    func findingsOnRightsNotGranted(moving verdicts: inout [Verdict]) -> [Finding] {
        let covered = coveredRights()
        var findings: [Finding] = []
        for owed in owedRights() where !covered.contains(owed.right) {
            let rows = evidence.entitlements.indices.filter { index in
                let row = evidence.entitlements[index]
                return isJudged(row) && catalog.right(of: row.product) == owed.right
            }
            guard !rows.contains(where: { isInFlux(evidence.entitlements[$0]) }) else { continue }
            let places = rows.filter {
                owed.isByVersion || evidence.entitlements[$0].source == .appStore
            }
            let isOutdated =
                !owed.isByVersion
                && isOutdated(owed.grantor, by: rows.map { evidence.entitlements[$0] })
            let isWithheld = isOutdated || isWithheld(owed.kind, by: owed.grantor)
            let cause = cause(of: owed.kind, row: nil, grantor: owed.grantor)
            let isSettling = settings.isSettling(cause)
            if let place = places.min(by: { isNearer($0, $1, to: owed) }) {
                verdicts[place] =
                    isWithheld
                    ? .unverified : isSettling ? .settling : .finding(owed.kind, owed.grantor)
            } else if !isSettling, !isWithheld {
                findings.append(finding(for: owed))
            }
        }
        return findings
    }

    /// Rights that a purchase gives, and those that only the original version of the app gives.
    private func owedRights() -> [OwedRight] {
        let byRight = Dictionary(grouping: grantors) { catalog.right(of: $0.product) }
            .compactMapValues { grantors in
                grantors.min { $0.comesBefore($1, for: nil) }
            }
        var owed = byRight.compactMap { right, best -> OwedRight? in
            guard best.entitles else { return nil }
            return OwedRight(
                kind: kindNotGranted(best), right: right, product: best.product, grantor: best)
        }
        var seen: Set<Right> = []
        for premium in grandfathering.paidProducts {
            let right = catalog.right(of: premium)
            let best = byRight[right]
            guard best?.entitles != true, seen.insert(right).inserted else { continue }
            owed.append(
                OwedRight(
                    kind: .freemiumPaidNotGranted, right: right, product: premium, grantor: best))
        }
        return owed
    }

    /// A right is covered by a granted row of any source that is of it, or whose best grantor is
    /// one of its grantors (SPEC §4.4).
    private func coveredRights() -> Set<Right> {
        var covered: Set<Right> = []
        for row in evidence.entitlements where row.isGranted(asOf: settings.asOf) {
            covered.insert(catalog.right(of: row.product))
            if let best = grantors(for: row).first {
                covered.insert(catalog.right(of: best.product))
            }
        }
        return covered
    }

    private func kindNotGranted(_ grantor: Grantor) -> FindingKind {
        if cancellationTakenBack(of: grantor.covering) != nil { return .refundReversedNotRestored }
        switch grantor.state {
        case .grace: return .graceNotGranted
        default: return grantor.kind == .autoRenewable ? .activeNotGranted : .ownedNotGranted
        }
    }

    /// Which of two rows of the right names what gives it better: its chain, else its product,
    /// else the latest update, else the smallest id.
    private func isNearer(_ left: Int, _ right: Int, to owed: OwedRight) -> Bool {
        let (own, other) = (evidence.entitlements[left], evidence.entitlements[right])
        let originalID = owed.isByVersion ? nil : owed.grantor?.originalID
        func misses(_ row: StoredEntitlement) -> (Int, Int) {
            (
                originalID != nil && row.originalTransaction == originalID ? 0 : 1,
                row.product == owed.product ? 0 : 1
            )
        }
        guard misses(own) == misses(other) else { return misses(own) < misses(other) }
        guard own.updatedAt == other.updatedAt else { return own.updatedAt > other.updatedAt }
        return own.id < other.id
    }
}

extension Grantor {
    /// Since when an entitling grantor should have been granted: the purchase, or in a grace
    /// period the expiry that began it.
    func owedSince(_ kind: FindingKind) -> Instant? {
        kind == .graceNotGranted ? covering.expiresAt : covering.purchasedAt
    }
}
