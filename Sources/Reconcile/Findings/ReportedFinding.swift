/// A finding as a report prints it, with identity, lifecycle and money.
package struct ReportedFinding: Hashable, Sendable {
    /// `FindingIdentity.id`; stable across runs.
    package var id: String
    package var finding: Finding
    package var lifecycle: Lifecycle
    /// `as_of` of the first run that reported the finding.
    package var firstSeen: Instant
    package var exposureDays: Int?
    /// A decimal number with all decimals of the currency. Nil without an estimate.
    package var estimatedAmount: String?
    package var currency: String?
    /// Why a finding of a kind with money has no amount; else nil.
    package var noAmount: Estimate.NoAmount?

    package init(
        id: String, finding: Finding, lifecycle: Lifecycle = .new, firstSeen: Instant,
        exposureDays: Int? = nil, estimatedAmount: String? = nil, currency: String? = nil,
        noAmount: Estimate.NoAmount? = nil
    ) {
        self.id = id
        self.finding = finding
        self.lifecycle = lifecycle
        self.firstSeen = firstSeen
        self.exposureDays = exposureDays
        self.estimatedAmount = estimatedAmount
        self.currency = currency
        self.noAmount = noAmount
    }

    package init(identifying finding: Finding, judgedAt asOf: Instant) {
        self.init(id: finding.identity.id, finding: finding, firstSeen: asOf)
    }
}

package enum Lifecycle: String, Hashable, Sendable, CaseIterable {
    case new, persisting, reopened, accepted
}
