/// A finding as a report prints it: with its identity, its history and its money.
package struct ReportedFinding: Hashable, Sendable {
    /// The first 32 hexadecimal digits of SHA-256 over `Finding.fingerprint`; stable over runs.
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

    package init(
        id: String, finding: Finding, lifecycle: Lifecycle = .new, firstSeen: Instant,
        exposureDays: Int? = nil, estimatedAmount: String? = nil, currency: String? = nil
    ) {
        (self.id, self.finding, self.lifecycle) = (id, finding, lifecycle)
        (self.firstSeen, self.exposureDays) = (firstSeen, exposureDays)
        (self.estimatedAmount, self.currency) = (estimatedAmount, currency)
    }
}

/// Whether earlier runs reported the finding.
package enum Lifecycle: String, Hashable, Sendable {
    case new, persisting, reopened, accepted
}
