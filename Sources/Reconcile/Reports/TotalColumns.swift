extension FindingTotal {
    static let columns: [Column<FindingTotal>] = [
        Column("event_day") { row, _ in .day(row.group.eventDay) },
        Column("event_day_pacific") { row, _ in .day(row.group.eventDayPacific) },
        Column("bundle_id") { row, _ in .text(row.group.bundle?.text) },
        Column("product_id") { row, _ in .text(row.group.product?.text) },
        Column("kind") { row, _ in .text(row.group.kind.rawValue) },
        Column("direction") { row, _ in .text(row.group.direction.rawValue) },
        Column("lifecycle") { row, _ in .text(row.group.lifecycle.rawValue) },
        Column("count") { row, _ in .integer(row.count) },
        Column("amount") { row, _ in .decimal(row.amount) },
        Column("currency") { row, _ in .text(row.group.currency) },
        Column("run_id") { _, run in .text(run.id) },
        Column("as_of") { _, run in .instant(run.asOf) },
        Column("scope") { _, run in .text(run.scope) },
    ]
}
