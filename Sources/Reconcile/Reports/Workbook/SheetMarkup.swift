/// What stands before and after the rows of a sheet (ECMA-376, SpreadsheetML).
enum SheetMarkup {
    /// - Parameter widths: in characters.
    static func start(widths: [Int], frozenRows: Int) -> String {
        let pane = """
            <pane ySplit="\(frozenRows)" topLeftCell="A\(frozenRows + 1)" activePane="bottomLeft"\
             state="frozen"/>
            """
        let columns = widths.enumerated().map { index, width in
            "<col min=\"\(index + 1)\" max=\"\(index + 1)\" width=\"\(width + 2)\""
                + " customWidth=\"1\"/>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">\
            <sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>\
            <sheetViews><sheetView workbookViewId="0">\(frozenRows > 0 ? pane : "")</sheetView>\
            </sheetViews><cols>\(columns.joined())</cols><sheetData>
            """
    }

    /// - Parameters:
    ///   - marks: cells that are shown in red when they say NO.
    ///   - merged: ranges that are one cell.
    ///   - pagesWide: on how many pages a row is printed.
    ///   - pagesTall: on how many pages the rows are printed; 0: as many as they need.
    static func end(
        filter: String? = nil, merged: [String] = [], marks: String? = nil, pagesWide: Int = 1,
        pagesTall: Int = 0
    ) -> String {
        // `=` would take "no" for "NO".
        let first = marks.map { $0.prefix { $0 != ":" } } ?? ""
        let rule = """
            <cfRule type="expression" dxfId="0" priority="1">\
            <formula>EXACT(\(first),"NO")</formula></cfRule></conditionalFormatting>
            """
        let cells = merged.map { "<mergeCell ref=\"\($0)\"/>" }.joined()
        return "</sheetData>" + (filter.map { "<autoFilter ref=\"\($0)\"/>" } ?? "")
            + (merged.isEmpty
                ? "" : "<mergeCells count=\"\(merged.count)\">\(cells)</mergeCells>")
            + (marks.map { "<conditionalFormatting sqref=\"\($0)\">" + rule } ?? "")
            + "<pageMargins left=\"0.5\" right=\"0.5\" top=\"0.5\" bottom=\"0.6\" header=\"0.3\""
            + " footer=\"0.3\"/>"
            + "<pageSetup paperSize=\"9\" orientation=\"landscape\" fitToWidth=\"\(pagesWide)\""
            + " fitToHeight=\"\(pagesTall)\"/>"
            + "<headerFooter><oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter>"
            + "</headerFooter></worksheet>"
    }
}
