/// Compares what Apple says of a user with what the service grants (SPEC §5).
package struct Judge: Sendable {
    package let catalog: Catalog
    package let settings: JudgingSettings

    package init(catalog: Catalog, settings: JudgingSettings) {
        (self.catalog, self.settings) = (catalog, settings)
    }

    /// Findings in no particular order, and the one bucket of every row.
    package func judgement(of evidence: UserEvidence) -> Judgement {
        let account = Account(evidence, catalog: catalog, settings: settings)
        var verdicts = account.evidence.entitlements.map { account.verdict(on: $0) }
        var findings = account.findingsOnRightsNotGranted(moving: &verdicts)
        var explained: Set<EndedRight> = []
        for (row, verdict) in zip(evidence.entitlements, verdicts) {
            guard case .finding(let kind, let grantor) = verdict else { continue }
            findings.append(account.finding(kind, on: row, grantor: grantor))
            if kind == .expiredStillGranted, let grantor { explained.insert(EndedRight(grantor)) }
        }
        findings += account.refundEvents() + account.expiryEvents(besides: explained)
        findings += account.receiptFindings() + account.contradictionFindings()
        return Judgement(findings: findings, entitlements: EntitlementTally(verdicts))
    }
}

/// What became of one user's rows.
package struct Judgement: Sendable, Equatable {
    package var findings: [Finding]
    package var entitlements: EntitlementTally
}

/// The one bucket that a stored row falls into.
enum Verdict: Equatable {
    case consistent
    /// The cause is too young, or the row itself is in flux.
    case settling
    /// A finding would accuse, and something that could speak for the user is missing.
    case unverified
    case notJudged
    case finding(FindingKind, Grantor?)
}
