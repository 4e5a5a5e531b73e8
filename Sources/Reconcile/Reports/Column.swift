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
