/// The cells of one row of a published table, by the names of their columns.
package struct NamedCells {
    fileprivate let indices: [String: Int]
    fileprivate let cells: [String?]

    func has(_ column: String) -> Bool { indices[column] != nil }

    /// Nil is an empty cell.
    subscript(column: String) -> String? {
        guard let index = indices[column] else {
            preconditionFailure("the table has no column \(column)")
        }
        return cells[index]
    }
}

/// Parses rows of a published table.
struct RowReader<Row: ReadableRow> {
    private let indices: [String: Int]
    /// The columns whose decimal point another character stands for.
    private let commas: [Int]

    init(_ columns: [Column<Row>], _ dialect: CSVDialect = .plain) {
        commas =
            dialect.decimalSeparator == UInt8(ascii: ".")
            ? [] : columns.indices.filter { columns[$0].name.hasSuffix("amount") }
        indices = Dictionary(
            uniqueKeysWithValues: zip(columns.map(\.name), columns.indices))
    }

    /// Nil for a value that a column cannot have, and unless there is a cell for each column.
    func row(_ cells: [String?]) -> Row? {
        guard cells.count == indices.count else { return nil }
        var cells = cells
        for index in commas { cells[index] = cells[index]?.replacing(",", with: ".") }
        return Row(cells: NamedCells(indices: indices, cells: cells))
    }
}
