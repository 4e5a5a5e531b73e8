struct Column<Row>: Sendable {
    let name: String
    let cell: @Sendable (Row, RowStamp) -> Cell

    init(_ name: String, _ cell: @escaping @Sendable (Row, RowStamp) -> Cell) {
        self.name = name
        self.cell = cell
    }
}

extension ReportedFinding {
    static let columns = columns(FindingColumn.reported)

    static let workbookColumns = columns.flatMap { column in
        guard column.name == "event_at" else { return [column] }
        return [
            column,
            Column("event_day_pacific") { row, _ in .day(row.finding.eventAt?.pacificDay) },
        ]
    }

    static func columns(_ list: [FindingColumn]) -> [Column<ReportedFinding>] {
        list.map { Column($0.name, $0.value) }
    }
}

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
        Column("source") { row, _ in .text(row.source?.rawValue) },
    ]
}

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

extension UnitLine {
    static let columns: [Column<UnitLine>] = [
        Column("day_pacific") { row, _ in .day(row.day) },
        Column("bundle_id") { row, _ in .text(row.bundle.text) },
        Column("product_id") { row, _ in .text(row.product.text) },
        Column("sold") { row, _ in .integer(row.counts.sold) },
        Column("trials") { row, _ in .integer(row.counts.trials) },
        Column("refunded") { row, _ in .integer(row.counts.refunded) },
        Column("upgraded") { row, _ in .integer(row.counts.upgraded) },
        Column("customers") { row, _ in .integer(row.customers) },
        Column("run_id") { _, run in .text(run.id) },
        Column("as_of") { _, run in .instant(run.asOf) },
        Column("scope") { _, run in .text(run.scope) },
    ]
}

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
        Column("amount_basis") { row, _ in .text(row.group.amountBasis?.rawValue) },
        Column("age") { row, _ in .text(row.group.age?.rawValue) },
    ]
}
