internal import SQL

/// Rows that a statement gets as parameters, one array for each column. By this one list of columns
/// the statement names them (`{columns}`), reads the rows (`{given}`), numbers the arrays, and gets
/// their values.
///
/// `{given}` is `unnest($2::text[], $3::int[]) as given (name, amount)`; `{values}` is `given.name,
/// given.amount`; `{amount}` is the array of one column, `$3::int[]`.
struct GivenRows<Row>: Sendable {
    let statement: PostgresStatement
    private let columns: [TypedColumn<Row>]

    /// - Parameter statement: the arrays follow its numbered parameters, if any.
    init(_ statement: Statement, _ columns: [TypedColumn<Row>]) {
        self.columns = columns
        let numbered = (1...).prefix { statement.text.contains("$\($0)") }.count
        let arrays = columns.indices.map { "$\(numbered + 1 + $0)::\(columns[$0].type)[]" }
        let names = columns.map(\.name).joined(separator: ", ")
        let values = columns.map { "given.\($0.name)" }.joined(separator: ", ")
        let given = "unnest(\(arrays.joined(separator: ", "))) as given (\(names))"
        var text = statement.text.replacing("{columns}", with: names)
            .replacing("{values}", with: values).replacing("{given}", with: given)
        for (column, array) in zip(columns, arrays) {
            text = text.replacing("{\(column.name)}", with: array)
        }
        self.statement = PostgresStatement(statement, filledIn: text)
    }

    /// The arrays, which follow the numbered parameters.
    func arrays(of rows: some Collection<Row>) -> [String] {
        columns.map { column in PostgresArray.nullable(rows.lazy.map(column.text)) }
    }
}
