package struct ReportedFinding: Hashable, Sendable {
    /// `FindingIdentity.id`; stable across runs.
    var id: String
    package var finding: Finding
    var lifecycle = Lifecycle.new
    /// `as_of` of the first run that reported the finding.
    var firstSeen: Instant
    var exposureDays: Int?
    /// A decimal number with all decimals of the currency. Nil without an estimate.
    var estimatedAmount: String?
    var currency: String?
    var amountBasis: AmountBasis?
    /// Why a finding of a kind with money has no amount; else nil.
    var noAmount: Estimate.NoAmount?
}

extension ReportedFinding {
    init(identifying finding: Finding, judgedAt asOf: Instant) {
        self.init(id: finding.identity.id, finding: finding, firstSeen: asOf)
    }
}

enum Lifecycle: String, Hashable, Sendable, CaseIterable {
    case new, persisting, reopened, accepted
}
