internal import SQL

enum FindingStatement {
    static let copy = naming(FindingColumn.stored, in: SQL.copyFindings)
    static let found = naming(FindingColumn.stored, in: SQL.runFindings)
    static let cleared = naming(FindingColumn.stored, in: SQL.runCleared)
    static let ofCustomer = naming(
        FindingColumn.stored, in: SQL.customerFindings, of: "f")
    static let one = naming(FindingColumn.stored, in: SQL.findFinding)
    static let byID = naming(FindingColumn.stored, in: SQL.findingsByID)

    /// Replaces `{finding_columns}` by the columns other than `run_id`, with the alias `table`.
    static func naming(
        _ columns: [FindingColumn], in statement: Statement, of table: String? = nil
    ) -> PostgresStatement {
        let prefix = table.map { $0 + "." } ?? ""
        let names = columns.map { prefix + $0.name }.joined(separator: ", ")
        return PostgresStatement(
            statement, filledIn: statement.text.replacing("{finding_columns}", with: names))
    }
}
