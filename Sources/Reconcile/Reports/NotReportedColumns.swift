extension NotReportedRow {
    static let columns: [Column<NotReportedRow>] = [
        Column("user_id") { row, _ in .text(row.user?.text) },
        Column("entitlement_id") { row, _ in .text(row.notReported.entitlement?.text) },
        Column("bucket") { row, _ in .text(row.notReported.bucket.rawValue) },
        Column("kind") { row, _ in .text(row.notReported.kind?.rawValue) },
        Column("cause") { row, _ in .text(row.notReported.cause.rawValue) },
        Column("run_id") { _, run in .text(run.id) },
        Column("as_of") { _, run in .instant(run.asOf) },
        Column("scope") { _, run in .text(run.scope) },
    ]
}
