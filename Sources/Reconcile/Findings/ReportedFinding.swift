package struct ReportedFinding: Hashable, Sendable {
    /// `FindingIdentity.id`; stable across runs.
    var id: String
    package var finding: Finding
    var lifecycle: Lifecycle
    /// `as_of` of the first run that reported the finding.
    var firstSeen: Instant
    var exposureDays: Int?
    /// A decimal number with all decimals of the currency. Nil without an estimate.
    var estimatedAmount: String?
    var currency: String?
    /// Why a finding of a kind with money has no amount; else nil.
    var noAmount: Estimate.NoAmount?

    init(
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

    init(identifying finding: Finding, judgedAt asOf: Instant) {
        self.init(id: finding.identity.id, finding: finding, firstSeen: asOf)
    }
}

enum Lifecycle: String, Hashable, Sendable, CaseIterable {
    case new, persisting, reopened, accepted
}
