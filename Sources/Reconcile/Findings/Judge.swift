/// Compares what Apple says of a user with what the service grants (SPEC §5).
package struct Judge: Sendable {
    package let catalog: Catalog
    package let settings: JudgingSettings

    package init(catalog: Catalog, settings: JudgingSettings) {
        self.catalog = catalog
        self.settings = settings
    }

    /// Findings in no particular order, and the one bucket of every row.
    /// - Parameter history: what earlier runs left of the user.
    package func judgement(
        of evidence: UserEvidence, history: UserHistory = UserHistory()
    ) -> Judgement {
        let user = UserCase(evidence, catalog: catalog, settings: settings, history: history)
        let table = FirstTable(user)
        var findings = table.findings
        let facts = FactRules.all.flatMap { $0.findings(user) }
        let toldEvents = table.toldEvents
        let told = Set(toldEvents.map(\.event.identity))
        findings += facts.filter { !told.contains($0.identity) }
        findings = user.limitedOffline(findings).oneOfEachIdentity()
        let remembered = toldEvents.filter(\.countsAsReported).map(\.event)
        return Judgement(
            findings: findings, entitlements: table.tally, notReported: table.notReported,
            remembered: (remembered + user.unreportableRefunds)
                .oneOfEachIdentity(besides: findings),
            unjudged: OpenFindings(user, table).unjudged(besides: findings),
            rights: table.judgedRights, purchases: user.purchaseSightings,
            receipts: user.receiptSightings,
            unknownProducts: user.unknownProducts, undecided: user.undecided)
    }
}

/// What became of one user's rows.
package struct Judgement: Sendable {
    package var findings: [Finding]
    package var entitlements: EntitlementTally
    /// The rows that are neither consistent nor in a finding.
    package var notReported: [NotReported] = []
    /// Events that later runs must know as told, although this one does not report them.
    package var remembered: [Finding] = []
    /// Ids of findings of earlier runs that could not be judged tonight: they stay open.
    package var unjudged: [String] = []
    /// What each verdict stood on.
    package var rights: [JudgedRight] = []
    // To be compared with other users'.
    package var purchases: [PurchaseSighting] = []
    package var receipts: [ReceiptSighting] = []
    package var unknownProducts: [UnknownProduct] = []
    /// What hides others' findings, perhaps.
    package var undecided: UndecidedUser?
}

extension [Finding] {
    /// Two purchases can be known by one line item or id: the first of them counts, by chain and
    /// transaction.
    fileprivate func oneOfEachIdentity(besides others: [Finding] = []) -> [Finding] {
        let identities = (others + self).map(\.identity)
        guard Set(identities).count < identities.count else { return self }
        var seen = Set(others.map(\.identity))
        return sorted { $0.stands(before: $1) }.filter { seen.insert($0.identity).inserted }
    }
}

extension Finding {
    fileprivate func stands(before other: Finding) -> Bool {
        let own = [originalTransaction, transaction].map { $0 ?? "" }
        return own.lexicographicallyPrecedes(
            [other.originalTransaction, other.transaction].map { $0 ?? "" })
    }
}

extension UserCase {
    /// Of tonight's findings those that may be made offline, each saying that it was.
    fileprivate func limitedOffline(_ findings: [Finding]) -> [Finding] {
        guard settings.isOffline else { return findings }
        return findings.filter(\.kind.isFoundOffline).map { finding in
            let receipt = evidence.receipts.first { $0.id == finding.receipt }
            return finding.judgedOffline(madeAt: receipt?.verified?.receipt.createdAt)
        }
    }
}
