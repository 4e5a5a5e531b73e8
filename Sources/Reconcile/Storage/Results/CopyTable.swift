internal import SQL

/// A table that COPY fills: its columns, each with the value that it takes from a row. By this one
/// list the statement names the columns, and the rows are written.
struct CopyTable<Row>: Sendable {
    /// The column that says of which run a row is.
    enum RunColumn: String {
        case id = "run_id"
        /// In the largest tables: it is shorter.
        case number = "run_no"
    }

    private let runColumn: RunColumn
    private let columns: [TypedColumn<Row>]
    let statement: PostgresStatement

    /// - Parameters:
    ///   - name: without the schema, which is `reconcile`.
    ///   - columns: those that follow the run's.
    init(_ name: String, of run: RunColumn = .id, _ columns: [TypedColumn<Row>]) {
        runColumn = run
        self.columns = columns
        statement = SQL.copyRows.filling(name, [run.rawValue] + columns.map(\.name))
    }

    /// Another statement that fills the table; it names the columns by `{columns}`.
    func columns(in statement: Statement) -> PostgresStatement {
        let names = ([runColumn.rawValue] + columns.map(\.name)).joined(separator: ", ")
        return PostgresStatement(
            statement, filledIn: statement.text.replacing("{columns}", with: names))
    }

    func append(_ row: Row, of run: RecordedRun, to buffer: inout BinaryCopyBuffer) {
        buffer.beginRow(columns: 1 + columns.count)
        switch runColumn {
        case .id: buffer.append(run.id.text)
        case .number: buffer.append(bigint: run.number)
        }
        for column in columns { column.append(row, &buffer) }
    }
}

/// What rows say of their run.
struct RecordedRun: Sendable {
    let id: RunID
    let number: Int
}

extension Statement {
    /// The statement for one table, under a name that says which.
    func filling(_ table: String, _ columns: [String]) -> PostgresStatement {
        PostgresStatement(
            name: "\(name)(\(table))",
            text: text.replacing("{table}", with: table)
                .replacing("{columns}", with: columns.joined(separator: ", ")),
            isLong: isLong)
    }
}

extension PostgresConnection {
    func copyIn<Row>(
        _ rows: some Collection<Row>, to table: CopyTable<Row>, of run: RecordedRun
    ) throws(PostgresError) {
        try copyIn(table.statement, rows) { table.append($0, of: run, to: &$1) }
    }
}
