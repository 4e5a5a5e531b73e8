internal import SQL

// Findings are written and read by the one list of their columns.

/// The statements that write or read all columns of `reconcile.finding`.
enum FindingStatement {
    static let copy = naming(SQL.copyFindings)
    static let found = naming(SQL.runFindings)
    static let cleared = naming(SQL.runCleared)

    /// With the columns, but for `run_id`, in the place of `{finding_columns}`.
    private static func naming(_ statement: Statement) -> PostgresStatement {
        let columns = FindingColumn.stored.map(\.name).joined(separator: ", ")
        return PostgresStatement(
            name: statement.name,
            text: statement.text.replacing("{finding_columns}", with: columns))
    }
}

extension CopyBuffer {
    /// The rows of `copy_findings`.
    init(findings: [ReportedFinding], of run: Run) {
        self.init()
        for finding in findings {
            append(run.id.text)
            for column in FindingColumn.stored { append(column.value(finding, run)) }
            endRow()
        }
    }

    private mutating func append(_ cell: Cell) {
        switch cell {
        case .text(let text), .decimal(let text): append(text)
        case .instant(let instant): append(instant?.timestamptz)
        case .boolean(let truth): append(truth)
        case .integer(let number): append(number)
        case .digest(let digits): append(hexadecimal: digits)
        }
    }
}

extension ReportedFinding {
    /// A row of `reconcile.finding`.
    init(_ row: borrowing PostgresRow) throws(PostgresError) {
        var blank = ReportedFinding.blank
        for column in FindingColumn.stored {
            let cell: Cell
            switch column.type {
            case .text: cell = .text(try row.optionalText(column.key))
            case .decimal: cell = .decimal(try row.optionalText(column.key))
            case .instant: cell = .instant(try row.optionalInstant(column.key))
            case .boolean: cell = .boolean(try row.optionalBool(column.key))
            case .integer: cell = .integer(try row.optionalInt(column.key))
            case .digest: cell = .digest(try row.optionalBytea(column.key)?.hexadecimal)
            }
            guard column.take(&blank, cell) else { throw row.undecodable(column.key) }
        }
        self = blank
    }
}
