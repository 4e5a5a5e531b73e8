/// A table being written, as `.csv`, `.json` and a sheet of the workbook at once, a page of rows at
/// a time.
///
/// Memory does not grow with the rows. Rows keep the order in which they are appended.
package final class ReportTable<Row: Sendable> {
    let name: String
    package private(set) var rowCount = 0
    private let run: ReportingRun
    private let csv: CSVReport<Row>
    private var json: JSONReport<Row>
    private let csvFile: ReportFile
    private let jsonFile: ReportFile
    private var sheet: TableSheet<Row>
    private let note: (Row) -> Void

    /// - Parameters:
    ///   - sheet: that of the workbook.
    ///   - note: sees every row.
    init(
        named name: String, columns: [Column<Row>], of run: Run, in folder: Int32, at path: String,
        sheet: TableSheet<Row>, note: @escaping (Row) -> Void = { _ in }
    ) throws(ReportError) {
        self.name = name
        self.run = run.reporting
        self.sheet = sheet
        self.note = note
        csv = CSVReport(columns: columns)
        json = JSONReport(columns: columns)
        csvFile = try ReportFile(named: name + ".csv", in: folder, at: path)
        jsonFile = try ReportFile(named: name + ".json", in: folder, at: path)
        try csvFile.write { csv.appendHeader(to: &$0) }
    }

    private func append(_ page: [Row]) throws(ReportError) {
        for row in page {
            note(row)
            try csvFile.write { csv.append(row, of: run, to: &$0) }
            try jsonFile.write { json.append(row, of: run, to: &$0) }
        }
        try sheet.append(page, of: run)
        rowCount += page.count
    }

    /// Writes all rows. The tables of a folder are written one after the other: the workbook is one
    /// stream.
    func write(_ rows: ReportRows<Row>) async throws {
        try await rows.feed { try append($0) }
        try sheet.finish()
    }

    func finish() throws(ReportError) -> [Manifest.Entry] {
        try jsonFile.write { json.appendEnd(to: &$0) }
        return [try csvFile.finish(rows: rowCount), try jsonFile.finish(rows: rowCount)]
    }
}
