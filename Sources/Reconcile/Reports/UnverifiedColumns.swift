extension UnverifiedReceipt {
    static let columns: [Column<UnverifiedReceipt>] = [
        Column("receipt_id") { row, _ in .text(row.receipt?.text) },
        Column("user_id") { row, _ in .text(row.user?.text) },
        Column("bundle_id") { row, _ in .text(row.bundle?.text) },
        Column("cause") { row, _ in .text(row.cause) },
        Column("attempts") { row, _ in .integer(row.attempts) },
        Column("last_status") { row, _ in .integer(row.lastStatus) },
        Column("last_http_status") { row, _ in .integer(row.lastHTTPStatus) },
        Column("detail") { row, _ in .text(row.detail) },
        Column("entitlements_affected") { row, _ in .integer(row.entitlementsAffected) },
        Column("run_id") { _, run in .text(run.id) },
        Column("as_of") { _, run in .instant(run.asOf) },
        Column("scope") { _, run in .text(run.scope) },
    ]
}
