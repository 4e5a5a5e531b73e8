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

    init(_ columns: [Column<Row>]) {
        indices = Dictionary(
            uniqueKeysWithValues: zip(columns.map(\.name), columns.indices))
    }

    /// Nil for a value that a column cannot have, and unless there is a cell for each column.
    func row(_ cells: [String?]) -> Row? {
        guard cells.count == indices.count else { return nil }
        return Row(cells: NamedCells(indices: indices, cells: cells))
    }
}
