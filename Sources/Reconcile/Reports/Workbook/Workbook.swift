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

    init(_ file: ReportFile, mostRows: Int = Workbook.mostRows) {
        self.file = file
        self.mostRows = mostRows
        zip = ZipWriter(file)
    }

    /// Ends the current sheet and begins the next. `widths` are in characters.
    func begin(
        _ title: String, of table: String, columns: [String], widths: [Int]
    ) throws(ReportError) {
        try endSheet()
        sheets.append(Sheet(title: title, table: table, columns: columns))
        isOpen = true
        try zip.begin("xl/worksheets/sheet\(sheets.count + 1).xml")
        try zip.write {
            $0 += Self.sheetStart(widths: widths, isFrozen: true).utf8
            Self.append(columns.map { .heading($0) }, row: 1, to: &$0)
        }
    }

    func append(_ cells: [WorkbookCell]) throws(ReportError) {
        let last = sheets.count - 1
        sheets[last].tableRows += 1
        guard sheets[last].rows < mostRows, zip.hasRoom else { return }
        sheets[last].rows += 1
        let row = sheets[last].rows + 1
        try zip.write { Self.append(cells, row: row, to: &$0) }
    }

    func finish(
        summary: ([Sheet]) -> [[WorkbookCell]]
    ) throws(ReportError) -> Manifest.Entry {
        try endSheet()
        try zip.begin("xl/worksheets/sheet1.xml")
        let rows = summary(sheets)
        try zip.write {
            $0 +=
                Self.sheetStart(widths: [44] + Array(repeating: 20, count: 8), isFrozen: false)
                .utf8
            for (index, cells) in rows.enumerated() {
                Self.append(cells, row: index + 1, to: &$0)
            }
            $0 += Self.sheetEnd(filter: nil, marks: "A1:I\(rows.count)").utf8
        }
        let titles = ["Summary"] + sheets.map(\.title)
        for (name, text) in WorkbookParts.all(titles) {
            try zip.begin(name)
            try zip.write { $0 += text.utf8 }
        }
        try zip.finish()
        return try file.finish(rows: nil)
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
            // About twelve columns are readable on a printed page.
            let pages = (sheet.columns.count + 11) / 12
            bytes += Self.sheetEnd(filter: "A1:\(end)", pagesWide: pages).utf8
        }
    }

    private static func append(_ cells: [WorkbookCell], row: Int, to bytes: inout [UInt8]) {
        bytes += "<row r=\"\(row)\">".utf8
        for (index, cell) in cells.enumerated() {
            cell.append(to: &bytes, at: letters(index), row)
        }
        bytes += "</row>".utf8
    }

    private static func sheetStart(widths: [Int], isFrozen: Bool) -> String {
        let pane = """
            <pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>
            """
        let columns = widths.enumerated().map { index, width in
            "<col min=\"\(index + 1)\" max=\"\(index + 1)\" width=\"\(width + 2)\""
                + " customWidth=\"1\"/>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">\
            <sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>\
            <sheetViews><sheetView workbookViewId="0">\(isFrozen ? pane : "")</sheetView>\
            </sheetViews><cols>\(columns.joined())</cols><sheetData>
            """
    }

    /// `marks` are shown in red when they say NO; a row is printed on `pagesWide` pages.
    private static func sheetEnd(
        filter: String?, marks: String? = nil, pagesWide: Int = 1
    ) -> String {
        let rule = """
            <cfRule type="cellIs" dxfId="0" priority="1" operator="equal"><formula>"NO"</formula>\
            </cfRule></conditionalFormatting>
            """
        return "</sheetData>" + (filter.map { "<autoFilter ref=\"\($0)\"/>" } ?? "")
            + (marks.map { "<conditionalFormatting sqref=\"\($0)\">" + rule } ?? "")
            + "<pageSetup orientation=\"landscape\" fitToWidth=\"\(pagesWide)\" fitToHeight=\"0\"/>"
            + "<headerFooter><oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter>"
            + "</headerFooter></worksheet>"
    }

    static func letters(_ index: Int) -> String {
        let letter = String(UnicodeScalar(UInt8(65 + index % 26)))
        return index < 26 ? letter : letters(index / 26 - 1) + letter
    }
}
