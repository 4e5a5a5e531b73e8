/// Writes a table as `.csv`, `.json` and workbook sheet at once, page by page, in constant memory.
final class ReportTable<Row: Sendable> {
    let name: String
    private(set) var rowCount = 0
    private let run: RowStamp
    private let csv: CSVReport<Row>
    private var json: JSONReport<Row>
    private let newFile: (String) throws(ReportError) -> ReportFile
    /// The current file; earlier ones are full.
    private var csvFile: ReportFile
    private var csvRows = 0
    private var fullFiles: [Manifest.Entry] = []
    private let rowsPerFile: Int
    private let jsonFile: ReportFile
    private var sheet: TableSheet<Row>?
    private let note: (Row) -> Void

    /// - Parameters:
    ///   - sheet: nil for a table that is not in a workbook.
    ///   - rowsPerFile: the limit of a CSV file for Excel; a plain table is one file.
    init(
        named name: String, columns: [Column<Row>], of run: RowStamp, _ dialect: CSVDialect,
        in folder: OpenFolder, sheet: TableSheet<Row>?, rowsPerFile: Int = CSV.rowsPerFile,
        note: @escaping (Row) -> Void = { _ in }
    ) throws(ReportError) {
        self.name = name
        self.run = run
        self.sheet = sheet
        self.note = note
        self.rowsPerFile = dialect.isForSpreadsheets ? rowsPerFile : .max
        csv = CSVReport(columns: columns, dialect: dialect)
        json = JSONReport(columns: columns)
        newFile = { name throws(ReportError) in try ReportFile(named: name, in: folder) }
        csvFile = try newFile(CSV.name(of: name, part: 1))
        jsonFile = try newFile(name + ".json")
        try csvFile.write { csv.appendHeader(to: &$0) }
    }

    private func append(_ page: [Row]) throws(ReportError) {
        for row in page {
            note(row)
            if csvRows == rowsPerFile { try beginFile() }
            try csvFile.write { csv.append(row, of: run, to: &$0) }
            csvRows += 1
            try jsonFile.write { json.append(row, of: run, to: &$0) }
        }
        try sheet?.append(page, of: run)
        rowCount += page.count
    }

    private func beginFile() throws(ReportError) {
        fullFiles.append(try csvFile.finish(rows: csvRows))
        csvFile = try newFile(CSV.name(of: name, part: fullFiles.count + 1))
        csvRows = 0
        try csvFile.write { csv.appendHeader(to: &$0) }
    }

    /// Tables must be written one after the other: the workbook is one stream.
    func write(_ rows: ReportRows<Row>) async throws {
        try await rows.feed { try append($0) }
        try sheet?.finish()
    }

    func finish() throws(ReportError) -> [Manifest.Entry] {
        try jsonFile.write { json.appendEnd(to: &$0) }
        return fullFiles + [
            try csvFile.finish(rows: csvRows), try jsonFile.finish(rows: rowCount),
        ]
    }
}
