/// Compares Apple's answers about a user with the service's grants.
package struct Judge: Sendable {
    let catalog: Catalog
    let settings: JudgingSettings
    /// The transactions that are refunded by the sweep of refund notices.
    var sweptRefunds: @Sendable () -> Set<TransactionID> = { [] }

    package init(catalog: Catalog, settings: JudgingSettings) {
        self.catalog = catalog
        self.settings = settings
    }

    /// Findings in no particular order, and exactly one bucket for every row.
    func judgement(
        of evidence: UserEvidence, history: UserHistory = UserHistory()
    ) -> Judgement {
        let user = UserCase(
            evidence, catalog: catalog, settings: settings, history: history,
            sweptRefunds: sweptRefunds())
        let verdicts = RowVerdicts(user)
        var findings = verdicts.findings
        var facts: [Finding] = []
        for rule in FactRules.all {
            let found = rule.findings(user)
            if !found.isEmpty { facts += found }
        }
        let mentionedEvents = verdicts.mentionedEvents
        if !facts.isEmpty {
            let mentioned = Set(mentionedEvents.map(\.event.identity))
            findings += facts.filter { !mentioned.contains($0.identity) }
        }
        findings = user.limited(findings).oneOfEachIdentity()
        let remembered = mentionedEvents.filter(\.countsAsReported).map(\.event)
        return Judgement(
            findings: findings, entitlements: verdicts.tally, notReported: verdicts.notReported,
            remembered: (remembered + user.unreportableRefunds)
                .oneOfEachIdentity(excluding: findings),
            unjudged: OpenFindings(user, verdicts).unjudged(excluding: findings),
            rights: verdicts.judgedRights,
            purchases: user.purchaseSightings(grantedBy: verdicts.rows.map(\.rowCase)),
            receipts: user.receiptSightings,
            units: user.unitSightings, unknownProducts: user.unknownProducts,
            undecided: user.undecided,
            sourceAgreement: user.sourceAgreement(in: findings),
            statusAgreement: user.statusAgreement, sweptTransactions: user.sweptTransactions,
            mayForgetPurchase: verdicts.accuseWithoutPurchase)
    }
}

struct Judgement: Sendable {
    var findings: [Finding]
    var entitlements: Tally<EntitlementBucket>
    /// Rows without a finding that are not consistent.
    var notReported: [NotReported] = []
    /// Events that later runs take as reported, although this run does not report them.
    var remembered: [Finding] = []
    var unjudged: [String] = []
    var rights: [JudgedRight] = []
    // Compared with other users' at the end of the run.
    var purchases: [PurchaseSighting] = []
    var receipts: [ReceiptSighting] = []
    var units: [UnitSighting] = []
    var unknownProducts: [UnknownProduct] = []
    /// Set when findings that compare users may be missing because of this user.
    var undecided: UndecidedUser?
    var sourceAgreement = SourceAgreement()
    var statusAgreement = StatusAgreement()
    /// Refunds of the sweep that an answer shows.
    var sweptTransactions: [TransactionID] = []
    /// Whether a row is accused of a right of which nothing is shown: an earlier run may have seen
    /// a purchase of it.
    var mayForgetPurchase = false
}

extension [Finding] {
    fileprivate func oneOfEachIdentity(excluding others: [Finding] = []) -> [Finding] {
        guard count + others.count > 1 else { return self }
        let identities = (others + self).map(\.identity)
        guard Set(identities).count < identities.count else { return self }
        var seen = Set(others.map(\.identity))
        return sorted { $0.precedes($1) }.filter { seen.insert($0.identity).inserted }
    }
}

extension Finding {
    fileprivate func precedes(_ other: Finding) -> Bool {
        let own = [originalTransaction, transaction].map { $0 ?? "" }
        return own.lexicographicallyPrecedes(
            [other.originalTransaction, other.transaction].map { $0 ?? "" })
    }
}

extension UserCase {
    /// Where later facts are not known: drops kinds that they could disprove, and marks the others
    /// in their explanation.
    fileprivate func limited(_ findings: [Finding]) -> [Finding] {
        guard !settings.knowsLaterFacts else { return findings }
        return findings.filter(\.kind.isFoundOffline).map { finding in
            let receipt = evidence.receipts.first { $0.id == finding.receipt }
            return finding.judgedOffline(madeAt: receipt?.verified?.receipt.createdAt)
        }
    }
}
