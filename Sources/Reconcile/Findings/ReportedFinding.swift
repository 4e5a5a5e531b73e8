/// A finding as a report prints it: with its identity, its history and its money.
package struct ReportedFinding: Hashable, Sendable {
    /// `FindingIdentity.id`; stable over runs.
    package var id: String
    package var finding: Finding
    package var lifecycle: Lifecycle
    /// When the first run that reported it judged (its `as_of`).
    package var firstSeen: Instant
    package var exposureDays: Int?
    /// A decimal number with the currency's minor digits. Nil where nothing may be estimated.
    package var estimatedAmount: String?
    /// ISO 4217.
    package var currency: String?
    /// Why a finding that may carry money has no amount; nil where it has one, or never could.
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

    /// - Parameter asOf: the instant of judgement, which is when it is first seen unless an earlier
    ///   run has seen it.
    package init(identifying finding: Finding, judgedAt asOf: Instant) {
        self.init(id: finding.identity.id, finding: finding, firstSeen: asOf)
    }
}

/// Whether earlier runs reported the finding.
package enum Lifecycle: String, Hashable, Sendable, CaseIterable {
    case new, persisting, reopened, accepted
}
