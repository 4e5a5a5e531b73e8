/// The rows of `copy_outcomes` and `copy_findings`, column by column as those files list them.
extension CopyBuffer {
    init(outcomes: [Outcome], of run: RunID) {
        self.init()
        for outcome in outcomes { append(outcome, of: run) }
    }

    init(findings: [ReportedFinding], of run: RunID) {
        self.init()
        for finding in findings { append(finding, of: run) }
    }

    private mutating func append(_ outcome: Outcome, of run: RunID) {
        append(run.text)
        append(outcome.receipt)
        append(outcome.user)
        append(outcome.bundle)
        append(outcome.validation.outcome)
        append(outcome.validation.cause)
        append(outcome.attempts.count)
        append(outcome.attempts.lastStatus)
        append(outcome.attempts.lastHTTPStatus)
        append(outcome.attempts.detail)
        append(hexadecimal: outcome.attempts.evidenceSHA256)
        append(outcome.attempts.answeredAt)
        append(outcome.entitlementsAffected)
        endRow()
    }

    private mutating func append(_ reported: ReportedFinding, of run: RunID) {
        let finding = reported.finding
        append(run.text)
        append(finding.severity.rank)
        append(reported.id)
        append(finding.kind.rawValue)
        append(finding.severity.rawValue)
        append(finding.direction.rawValue)
        append(reported.lifecycle.rawValue)
        append(reported.firstSeen)
        append(finding.user)
        append(finding.entitlement)
        append(finding.receipt)
        append(finding.productStored)
        append(finding.productApple)
        append(finding.originalTransaction)
        append(finding.transaction)
        append(finding.environment?.rawValue)
        append(finding.bundle)
        append(finding.ownership?.rawValue)
        append(finding.storedActive)
        append(finding.storedExpiresAt)
        append(finding.appleState.rawValue)
        append(finding.appleExpiresAt)
        append(finding.eventAt)
        append(finding.reason)
        append(reported.exposureDays)
        append(reported.estimatedAmount)
        append(reported.currency)
        append(finding.proposedAction.rawValue)
        append(finding.explanation)
        append(hexadecimal: finding.evidenceSHA256)
        append(finding.reference)
        endRow()
    }

    private mutating func append<Tag>(_ id: Identifier<Tag>?) { append(id?.text) }

    private mutating func append(_ instant: Instant?) { append(instant?.timestamptz) }
}

extension Validation {
    /// The column `outcome`.
    fileprivate var outcome: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .unusable: "unusable"
        case .unverified: "unverified"
        }
    }

    /// The column `cause`; none for what is verified.
    fileprivate var cause: String? {
        switch self {
        case .verified: nil
        case .rejected(let cause): cause.rawValue
        case .unusable(let cause): cause.rawValue
        case .unverified(let cause): cause.rawValue
        }
    }
}
