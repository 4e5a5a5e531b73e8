internal import SQL

/// A column that a row fills, with its value in PostgreSQL's text format.
struct TextColumn<Row>: Sendable {
    let name: String
    let text: @Sendable (Row) -> String?

    init(_ name: String, _ text: @escaping @Sendable (Row) -> String?) {
        self.name = name
        self.text = text
    }
}

/// The columns and parameters of an INSERT of one row. By this one list the statement names the
/// columns (`{columns}`), numbers the parameters (`{values}`, and `{run_id}` for a single one), and
/// gets their values.
struct InsertTable<Row>: Sendable {
    let statement: PostgresStatement
    private let parameters: [TextColumn<Row>]

    /// - Parameter others: parameters of the statement that are no columns.
    init(
        _ statement: Statement, _ columns: [TextColumn<Row>], others: [TextColumn<Row>] = []
    ) {
        parameters = columns + others
        let names = columns.map(\.name).joined(separator: ", ")
        let values = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        var text = statement.text.replacing("{columns}", with: names)
            .replacing("{values}", with: values)
        for (index, parameter) in parameters.enumerated() {
            text = text.replacing("{\(parameter.name)}", with: "$\(index + 1)")
        }
        self.statement = PostgresStatement(statement, filledIn: text)
    }

    func parameters(of row: Row) -> [String?] { parameters.map { $0.text(row) } }
}
