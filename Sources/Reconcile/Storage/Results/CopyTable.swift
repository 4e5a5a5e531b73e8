internal import SQL

/// A table that COPY fills: its columns, each with the value that it takes from a row. By this one
/// list the statement names the columns, and the rows are written.
struct CopyTable<Row>: Sendable {
    let columns: [CopyColumn<Row>]
    let statement: PostgresStatement

    /// - Parameter name: without the schema, which is `reconcile`.
    init(_ name: String, _ columns: [CopyColumn<Row>]) {
        self.columns = columns
        statement = SQL.copyRows.filling(name, columns.map(\.name))
    }

    /// Another statement that fills the table; it names the columns by `{columns}`.
    func columns(in statement: Statement) -> PostgresStatement {
        let names = columns.map(\.name).joined(separator: ", ")
        return PostgresStatement(
            statement, filledIn: statement.text.replacing("{columns}", with: names))
    }

    func append(_ row: Row, of run: RecordedRun, to buffer: inout BinaryCopyBuffer) {
        buffer.beginRow(columns: columns.count)
        for column in columns { column.append(row, run, &buffer) }
    }
}

/// What rows say of their run: the largest tables its number, the others its id.
struct RecordedRun: Sendable {
    let id: RunID
    let number: Int
}

struct CopyColumn<Row>: Sendable {
    let name: String
    let append: @Sendable (Row, RecordedRun, inout BinaryCopyBuffer) -> Void

    /// - Parameter append: appends the value, in the binary format of the column's type.
    private init(
        _ name: String,
        _ append: @escaping @Sendable (Row, RecordedRun, inout BinaryCopyBuffer) -> Void
    ) {
        self.name = name
        self.append = append
    }

    static var runID: Self { Self("run_id") { $2.append($1.id.text) } }

    static var runNumber: Self { Self("run_no") { $2.append(bigint: $1.number) } }
}

// MARK: By the column's type

extension CopyColumn {
    static func text(_ name: String, _ value: @escaping @Sendable (Row) -> String?) -> Self {
        Self(name) { $2.append(value($0)) }
    }

    /// A `text` with an id.
    static func id<Tag>(
        _ name: String, _ value: @escaping @Sendable (Row) -> Identifier<Tag>?
    ) -> Self {
        Self(name) { $2.append(value($0)) }
    }

    /// A `text` with the raw value of an enumeration.
    static func word<Word: RawRepresentable<String> & SendableMetatype>(
        _ name: String, _ value: @escaping @Sendable (Row) -> Word?
    ) -> Self {
        Self(name) { $2.append(value($0)?.rawValue) }
    }

    static func texts(_ name: String, _ value: @escaping @Sendable (Row) -> [String]) -> Self {
        Self(name) { $2.append(texts: value($0)) }
    }

    static func bytea(_ name: String, _ value: @escaping @Sendable (Row) -> [UInt8]?) -> Self {
        Self(name) { $2.append(bytes: value($0)) }
    }

    static func jsonb(_ name: String, _ value: @escaping @Sendable (Row) -> [UInt8]) -> Self {
        Self(name) { $2.append(jsonb: value($0)) }
    }

    static func boolean(_ name: String, _ value: @escaping @Sendable (Row) -> Bool?) -> Self {
        Self(name) { $2.append(value($0)) }
    }

    static func int(_ name: String, _ value: @escaping @Sendable (Row) -> Int?) -> Self {
        Self(name) { $2.append(int: value($0)) }
    }

    /// An `int` that is null for 0, as most are.
    static func rareInt(_ name: String, _ value: @escaping @Sendable (Row) -> Int) -> Self {
        Self(name) { row, _, buffer in
            let number = value(row)
            buffer.append(int: number == 0 ? nil : number)
        }
    }

    static func bigint(_ name: String, _ value: @escaping @Sendable (Row) -> Int?) -> Self {
        Self(name) { $2.append(bigint: value($0)) }
    }

    static func timestamp(
        _ name: String, _ value: @escaping @Sendable (Row) -> Instant?
    ) -> Self {
        Self(name) { $2.append(timestamp: value($0)?.milliseconds) }
    }
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
