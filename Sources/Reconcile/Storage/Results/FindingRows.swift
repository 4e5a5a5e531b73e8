// One list of columns serves the statements, the writing and the reading of findings.

extension CopyBuffer {
    init(
        findings: [ReportedFinding], of run: RowStamp,
        columns: [FindingColumn] = FindingColumn.stored
    ) {
        self.init()
        for finding in findings {
            append(run.id)
            for column in columns { append(column.value(finding, run)) }
            endRow()
        }
    }

    private mutating func append(_ cell: Cell) {
        switch cell {
        case .text(let text), .decimal(let text): append(text)
        case .instant(let instant), .day(let instant): append(instant?.timestamptz)
        case .boolean(let truth): append(truth)
        case .integer(let number): append(number)
        case .digest(let digits): append(hexadecimal: digits)
        }
    }
}

extension ReportedFinding {
    init(
        _ row: borrowing PostgresRow, columns: [FindingColumn] = FindingColumn.stored
    ) throws {
        var blank = ReportedFinding.blank
        for column in columns {
            let cell: Cell
            switch column.type {
            case .text: cell = .text(try row.optionalText(column.key))
            case .decimal: cell = .decimal(try row.optionalText(column.key))
            case .instant: cell = .instant(try row.optionalInstant(column.key))
            case .day: cell = .day(try row.optionalInstant(column.key))
            case .boolean: cell = .boolean(try row.optionalBool(column.key))
            case .integer: cell = .integer(try row.optionalInt(column.key))
            case .digest: cell = .digest(try row.optionalBytea(column.key)?.hexadecimal)
            }
            guard column.take(&blank, cell) else { throw row.undecodable(column.key) }
        }
        self = blank
    }
}
