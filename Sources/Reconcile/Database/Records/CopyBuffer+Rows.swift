/// The rows of `copy_findings`, column by column as that file lists them.
extension CopyBuffer {
    init(findings: [ReportedFinding], of run: RunID) {
        self.init()
        for finding in findings { append(finding, of: run) }
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
