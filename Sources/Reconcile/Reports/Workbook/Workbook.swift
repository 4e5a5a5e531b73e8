/// Writes `report.xlsx` as a stream: a sheet for each table, then the summary sheet, which is shown
/// first. Memory does not grow with the number of rows.
final class Workbook {
    struct Sheet: Equatable {
        let title: String
        /// The table's name without extension.
        let table: String
        let columns: [String]
        /// Rows of the sheet; `tableRows` counts those of the table.
        var rows = 0
        var tableRows = 0

        var isWhole: Bool { rows == tableRows }
    }

    /// Rows of a sheet: more than a person reads; a spreadsheet's limit is a million.
    static let mostRows = 200_000

    private let zip: ZipWriter
    private let file: ReportFile
    private let mostRows: Int
    private(set) var sheets: [Sheet] = []
    private var isOpen = false
    /// Of the open sheet, in characters.
    private var width = 0

    init(_ file: ReportFile, mostRows: Int = Workbook.mostRows) {
        self.file = file
        self.mostRows = mostRows
        zip = ZipWriter(file)
    }

    /// Ends the current sheet and begins the next. `widths` are in characters; `numbers` are the
    /// columns whose names are on the right.
    func begin(
        _ title: String, of table: String, columns: [String], widths: [Int],
        numbers: Set<String> = []
    ) throws(ReportError) {
        try endSheet()
        sheets.append(Sheet(title: title, table: table, columns: columns))
        isOpen = true
        width = widths.reduce(0) { $0 + $1 + 2 }
        try zip.begin("xl/worksheets/sheet\(sheets.count + 1).xml")
        let head = columns.map { name -> WorkbookCell in
            numbers.contains(name) ? .numberHeading(name) : .heading(name)
        }
        try zip.write {
            $0 += SheetMarkup.start(widths: widths, frozenRows: 1).utf8
            Self.append(head, row: 1, to: &$0)
        }
    }

    func append(_ cells: [WorkbookCell]) throws(ReportError) {
        let last = sheets.count - 1
        sheets[last].tableRows += 1
        guard sheets[last].rows < mostRows, zip.hasRoom else { return }
        sheets[last].rows += 1
        let row = sheets[last].rows + 1
        try zip.write { Self.append(cells, row: row, height: Self.height(of: cells), to: &$0) }
    }

    /// - Parameters:
    ///   - summary: the rows of the first sheet, which is printed on one page.
    ///   - details: sheets after it, by title, with the number of rows at their top that stay.
    func finish(
        summary: ([Sheet]) -> [[WorkbookCell]],
        details: [(title: String, frozenRows: Int, rows: ([Sheet]) -> [[WorkbookCell]])] = []
    ) throws(ReportError) -> Manifest.Entry {
        try endSheet()
        let first = FreeSheet("Summary", summary(sheets), isOnePage: true)
        var parts = [WorkbookParts.Sheet(title: first.title, number: 1, area: first.area)]
        try write(first, number: 1)
        for (index, detail) in details.enumerated() {
            let sheet = FreeSheet(
                detail.title, detail.rows(sheets), frozenRows: detail.frozenRows)
            let number = sheets.count + 2 + index
            try write(sheet, number: number)
            parts.append(WorkbookParts.Sheet(title: sheet.title, number: number, area: sheet.area))
        }
        parts += sheets.enumerated().map { index, sheet in
            WorkbookParts.Sheet(
                title: sheet.title, number: index + 2, area: Self.area(of: sheet),
                hasHeader: true)
        }
        for (name, text) in WorkbookParts.all(parts) {
            try zip.begin(name)
            try zip.write { $0 += text.utf8 }
        }
        try zip.finish()
        return try file.finish(rows: nil)
    }

    private func write(_ sheet: FreeSheet, number: Int) throws(ReportError) {
        try zip.begin("xl/worksheets/sheet\(number).xml")
        try zip.write { bytes in
            bytes += SheetMarkup.start(widths: sheet.widths, frozenRows: sheet.frozenRows).utf8
            for (index, cells) in sheet.rows.enumerated() {
                Self.append(cells, row: index + 1, height: sheet.height(of: cells), to: &bytes)
            }
            bytes += sheet.end.utf8
        }
    }

    /// Of a column of sentences, in characters.
    static let sentenceWidth = 160

    /// In points, so that its sentences are whole; nil: one line. A row has at most 409.
    private static func height(of cells: [WorkbookCell]) -> Int? {
        let lines =
            cells.map { cell in
                guard case .sentence(let text) = cell else { return 1 }
                // Most letters are narrower than a digit, by which widths are measured.
                let room = sentenceWidth * 11 / 10
                return (text.utf8.count + room - 1) / room
            }.max() ?? 1
        return lines > 1 ? min(409, 15 * lines) : nil
    }

    private static func area(of sheet: Sheet) -> String {
        let rows = sheet.rows + (sheet.isWhole ? 1 : 2)
        return "$A$1:$\(letters(sheet.columns.count - 1))$\(rows)"
    }

    private func endSheet() throws(ReportError) {
        guard isOpen, let sheet = sheets.last else { return }
        isOpen = false
        let end = "\(Self.letters(sheet.columns.count - 1))\(sheet.rows + 1)"
        try zip.write { bytes in
            if !sheet.isWhole {
                let rest =
                    "The first \(sheet.rows.grouped) of \(sheet.tableRows.grouped) rows;"
                    + " all are in \(sheet.table).csv."
                Self.append([.text(rest)], row: sheet.rows + 2, to: &bytes)
            }
            // So many characters can be read across a printed page.
            let pages = max(1, (width + 179) / 180)
            bytes += SheetMarkup.end(filter: "A1:\(end)", pagesWide: pages).utf8
        }
    }

    /// - Parameter height: in points; nil: as its texts need it.
    private static func append(
        _ cells: [WorkbookCell], row: Int, height: Int? = nil, to bytes: inout [UInt8]
    ) {
        let tall = height.map { " ht=\"\($0)\" customHeight=\"1\"" } ?? ""
        bytes += "<row r=\"\(row)\"\(tall)>".utf8
        for (index, cell) in cells.enumerated() {
            cell.append(to: &bytes, at: letters(index), row)
        }
        bytes += "</row>".utf8
    }

    static func letters(_ index: Int) -> String {
        let letter = String(UnicodeScalar(UInt8(65 + index % 26)))
        return index < 26 ? letter : letters(index / 26 - 1) + letter
    }
}
