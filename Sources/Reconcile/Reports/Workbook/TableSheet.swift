struct TableSheet<Row> {
    private let workbook: Workbook
    private let title: String
    private let table: String
    private let columns: [Column<Row>]
    private var hasBegun = false

    init(_ table: String, columns: [Column<Row>], in workbook: Workbook) {
        self.workbook = workbook
        self.table = table
        // For example `Not reported` for `not_reported`.
        title = table.prefix(1).uppercased() + table.dropFirst().replacing("_", with: " ")
        self.columns = columns
    }

    /// No other sheet may be written between the pages of a table.
    mutating func append(_ page: [Row], of run: RowStamp) throws(ReportError) {
        let rows = page.map { row in
            columns.map { column -> WorkbookCell in
                let cell = column.cell(row, run)
                if Self.sentences.contains(column.name), case .text(let text?) = cell {
                    return .sentence(text)
                }
                return WorkbookCell(cell)
            }
        }
        try begin(rows)
        for row in rows { try workbook.append(row) }
    }

    /// Creates the sheet also for a table without rows.
    mutating func finish() throws(ReportError) { try begin([]) }

    /// Column widths are those that the first page needs.
    private mutating func begin(_ rows: [[WorkbookCell]]) throws(ReportError) {
        guard !hasBegun else { return }
        hasBegun = true
        let widths = columns.enumerated().map { index, column in
            if Self.sentences.contains(column.name) { return Workbook.sentenceWidth }
            let cells = rows.prefix(500).map { $0[index].width }
            // The arrow of the filter covers the end of the name.
            return min(40, max(column.name.count + 4, cells.max() ?? 0))
        }
        try workbook.begin(
            title, of: table, columns: columns.map(\.name), widths: widths,
            numbers: Set(columns.map(\.name).filter(Self.isNumber)))
    }

    /// By name: a table may have no row that would say so.
    private static func isNumber(_ column: String) -> Bool {
        ["amount", "count", "_days", "attempts", "_status", "_affected"].contains {
            column.hasSuffix($0)
        }
    }

    private static var sentences: Set<String> { ["explanation", "detail"] }
}
