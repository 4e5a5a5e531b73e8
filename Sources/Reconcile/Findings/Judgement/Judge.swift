/// Compares what Apple says of a user with what the service grants (SPEC §5).
package struct Judge: Sendable {
    package let catalog: Catalog
    package let settings: JudgingSettings

    package init(catalog: Catalog, settings: JudgingSettings) {
        (self.catalog, self.settings) = (catalog, settings)
    }

    /// Findings in no particular order, and the one bucket of every row.
    /// - Parameter history: what earlier runs saw of the user's transactions.
    package func judgement(
        of evidence: UserEvidence, history: UserHistory = UserHistory()
    ) -> Judgement {
        let account = Account(
            evidence, catalog: catalog, settings: settings, history: history)
        var verdicts = account.evidence.entitlements.map { account.verdict(on: $0) }
        var findings = account.findingsOnRightsNotGranted(moving: &verdicts)
        var explained: [Grantor] = []
        for (row, verdict) in zip(evidence.entitlements, verdicts) {
            guard case .finding(let kind, let grantor) = verdict else { continue }
            findings.append(account.finding(kind, on: row, grantor: grantor))
            if kind == .expiredStillGranted, let grantor { explained.append(grantor) }
        }
        findings += account.refundEvents() + account.expiryEvents(besides: explained)
        findings += account.receiptFindings() + account.contradictionFindings()
        let named = findings.filter { $0.kind == .refundReversedNotRestored }
        findings += account.reversalEvents(besides: Set(named.compactMap(\.transaction)))
        findings = account.limited(findings)
        return Judgement(
            findings: account.estimated(findings), entitlements: EntitlementTally(verdicts),
            cancellations: account.cancellations(with: findings),
            explainedExpiries: explained.compactMap { grantor in
                grantor.endsAt.map { account.expiry(of: grantor, endedAt: $0) }
            }, verdicts: verdicts, subscriptions: account.subscriptionSightings(),
            unknownProducts: account.unknownProducts(), undecided: account.undecided())
    }
}

/// What became of one user's rows.
package struct Judgement: Sendable, Equatable {
    package var findings: [Finding]
    package var entitlements: EntitlementTally
    /// What later runs must know of cancelled transactions.
    package var cancellations: [Cancellation] = []
    /// The `expired` events that are not raised, since `expired_still_granted` says them.
    package var explainedExpiries: [Finding] = []
    /// Of each row, in the order of the evidence.
    var verdicts: [Verdict] = []
    /// To be compared with other users'.
    package var subscriptions: [SubscriptionSighting] = []
    package var unknownProducts: [UnknownProduct] = []
    /// What hides others' findings, perhaps.
    package var undecided: UndecidedUser?
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
