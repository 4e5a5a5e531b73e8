/// Reads the CSV of a published table row by row: one file, or several parts for Excel.
final class CSVFiles {
    private(set) var rows = [0]
    private(set) var strangeHeader: String?
    private let folder: OpenFolder
    private let table: String
    private let dialect: CSVDialect
    private let header: [UInt8]
    private var file: FileReader

    /// Nil when the first file cannot be opened.
    init?<Row>(_ table: String, in folder: OpenFolder, of report: CSVReport<Row>) {
        guard let file = FileReader(CSV.name(of: table, part: 1), in: folder) else { return nil }
        self.file = file
        self.folder = folder
        self.table = table
        dialect = report.dialect
        var header: [UInt8] = []
        report.appendHeader(to: &header)
        self.header = header
        checkHeader()
    }

    /// Reads the next row; nil at the end, and at a file with an unexpected header.
    func record() -> CSVRecord? {
        guard hasMore() else { return nil }
        rows[rows.count - 1] += 1
        return CSVRecord(file, dialect)
    }

    func takes(_ row: [UInt8]) -> Bool {
        guard hasMore() else { return false }
        rows[rows.count - 1] += 1
        return file.take(row.count) == row
    }

    func hasMore() -> Bool {
        if strangeHeader != nil { return false }
        if file.peek() != nil { return true }
        let name = CSV.name(of: table, part: rows.count + 1)
        guard dialect.isForSpreadsheets, let next = FileReader(name, in: folder) else {
            return false
        }
        file = next
        rows.append(0)
        checkHeader()
        return strangeHeader == nil && file.peek() != nil
    }

    private func checkHeader() {
        if file.take(header.count) != header {
            strangeHeader = CSV.name(of: table, part: rows.count)
        }
    }
}
