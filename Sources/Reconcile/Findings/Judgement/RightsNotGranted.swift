/// What Apple's answers entitle the user to and no granted row covers (SPEC §5).
extension Account {
    /// One finding a right. One that stands on a stored row becomes that row's verdict; the others
    /// are returned.
    func findingsOnRightsNotGranted(moving verdicts: inout [Verdict]) -> [Finding] {
        let covered = coveredRights()
        var findings: [Finding] = []
        for (right, grantors) in grantorsByRight() where !covered.contains(right) {
            guard let best = grantors.min(by: { $0.comesBefore($1, for: nil) }), best.entitles
            else { continue }
            let rows = evidence.entitlements.indices.filter { index in
                let row = evidence.entitlements[index]
                return row.source == .appStore && rules.isJudged(row.product)
                    && catalog.right(of: row.product) == right
            }
            let isInFlux = rows.contains {
                evidence.entitlements[$0].updatedAt > settings.asOf
            }
            guard !isInFlux else { continue }
            let kind = kindNotGranted(best)
            let isSettling = settings.isSettling(best.owedSince(kind))
            if let place = rows.min(by: { isNearer($0, $1, to: best) }) {
                verdicts[place] = isSettling ? .settling : .finding(kind, best)
            } else if !isSettling {
                findings.append(finding(kind, for: right, grantor: best))
            }
        }
        return findings
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

    private func grantorsByRight() -> [Right: [Grantor]] {
        Dictionary(grouping: grantors) { catalog.right(of: $0.product) }
    }

    private func kindNotGranted(_ grantor: Grantor) -> FindingKind {
        if history.cancellations[grantor.covering.id] != nil { return .refundReversedNotRestored }
        switch grantor.state {
        case .grace: return .graceNotGranted
        default: return grantor.kind == .autoRenewable ? .activeNotGranted : .ownedNotGranted
        }
    }

    /// Which of two rows of the right names `grantor` better: its chain, else its product, else
    /// the latest update, else the smallest id.
    private func isNearer(_ left: Int, _ right: Int, to grantor: Grantor) -> Bool {
        let (own, other) = (evidence.entitlements[left], evidence.entitlements[right])
        func misses(_ row: StoredEntitlement) -> (Int, Int) {
            (
                row.originalTransaction == grantor.originalID ? 0 : 1,
                row.product == grantor.product ? 0 : 1
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
