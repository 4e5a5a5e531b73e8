/// One column of a report, for both of its formats: a name and where its cells come from.
struct Column<Row>: Sendable {
    let name: String
    let cell: @Sendable (Row, Run) -> Cell

    init(_ name: String, _ cell: @escaping @Sendable (Row, Run) -> Cell) {
        self.name = name
        self.cell = cell
    }
}

extension ReportedFinding {
    /// The columns of `expirations`, `refunds`, `mismatches`, `receipts` and `cleared`.
    static let columns = FindingColumn.reported.map { Column($0.name, $0.value) }
}
