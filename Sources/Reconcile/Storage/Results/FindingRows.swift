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

extension ReportedFinding {
    /// The columns of `run_findings`.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.text("finding_id"), finding: try Finding(row),
            lifecycle: try row.word("lifecycle"),
            firstSeen: try row.instant("first_seen"),
            exposureDays: try row.optionalInt("exposure_days"),
            estimatedAmount: try row.optionalText("estimated_amount"),
            currency: try row.optionalText("currency"))
    }
}

extension Finding {
    fileprivate init(_ row: borrowing PostgresRow) throws(PostgresError) {
        self.init(
            kind: try row.word("kind"), severity: try row.word("severity"),
            direction: try row.word("direction"),
            user: try row.optionalID("user_id"), explanation: try row.text("explanation"),
            reference: try row.text("reference"))
        entitlement = try row.optionalID("entitlement_id")
        receipt = try row.optionalID("receipt_id")
        productStored = try row.optionalID("product_stored")
        productApple = try row.optionalID("product_apple")
        originalTransaction = try row.optionalID("original_transaction_id")
        transaction = try row.optionalID("transaction_id")
        environment = try row.optionalWord("environment")
        bundle = try row.optionalID("bundle_id")
        ownership = try row.optionalWord("ownership")
        storedActive = try row.optionalBool("stored_active")
        storedExpiresAt = try row.optionalInstant("stored_expires_at")
        appleState = try row.word("apple_state")
        appleExpiresAt = try row.optionalInstant("apple_expires_at")
        eventAt = try row.optionalInstant("event_at")
        reason = try row.optionalText("reason")
        proposedAction = try row.word("proposed_action")
        evidenceSHA256 = try row.optionalText("evidence_sha256")
    }
}
