/// The columns of `expirations`, `refunds`, `mismatches`, `receipts` and `cleared`, in the order
/// of the report contract. A column may be added at the end; none may move or be renamed.
extension ReportedFinding {
    static let columns: [Column<ReportedFinding>] = identity + storedAndApple + judgement

    private static let identity: [Column<ReportedFinding>] = [
        Column("finding_id") { row, _ in .text(row.id) },
        Column("kind") { row, _ in .text(row.finding.kind.rawValue) },
        Column("severity") { row, _ in .text(row.finding.severity.rawValue) },
        Column("direction") { row, _ in .text(row.finding.direction.rawValue) },
        Column("lifecycle") { row, _ in .text(row.lifecycle.rawValue) },
        Column("first_seen") { row, _ in .instant(row.firstSeen) },
        Column("user_id") { row, _ in .text(row.finding.user?.text) },
        Column("entitlement_id") { row, _ in .text(row.finding.entitlement?.text) },
        Column("receipt_id") { row, _ in .text(row.finding.receipt?.text) },
    ]

    private static let storedAndApple: [Column<ReportedFinding>] = [
        Column("product_stored") { row, _ in .text(row.finding.productStored?.text) },
        Column("product_apple") { row, _ in .text(row.finding.productApple?.text) },
        Column("original_transaction_id") { row, _ in
            .text(row.finding.originalTransaction?.text)
        },
        Column("transaction_id") { row, _ in .text(row.finding.transaction?.text) },
        Column("environment") { row, _ in .text(row.finding.environment?.rawValue) },
        Column("bundle_id") { row, _ in .text(row.finding.bundle?.text) },
        Column("ownership") { row, _ in .text(row.finding.ownership?.rawValue) },
        Column("stored_active") { row, _ in .boolean(row.finding.storedActive) },
        Column("stored_expires_at") { row, _ in .instant(row.finding.storedExpiresAt) },
        Column("apple_state") { row, _ in .text(row.finding.appleState.rawValue) },
        Column("apple_expires_at") { row, _ in .instant(row.finding.appleExpiresAt) },
    ]

    private static let judgement: [Column<ReportedFinding>] = [
        Column("event_at") { row, _ in .instant(row.finding.eventAt) },
        Column("reason") { row, _ in .text(row.finding.reason) },
        Column("exposure_days") { row, _ in .integer(row.exposureDays) },
        Column("estimated_amount") { row, _ in .decimal(row.estimatedAmount) },
        Column("currency") { row, _ in .text(row.currency) },
        Column("proposed_action") { row, _ in .text(row.finding.proposedAction.rawValue) },
        Column("explanation") { row, _ in .text(row.finding.explanation) },
        Column("evidence_sha256") { row, _ in .text(row.finding.evidenceSHA256) },
        Column("run_id") { _, run in .text(run.id.text) },
        Column("as_of") { _, run in .instant(run.asOf) },
    ]
}
