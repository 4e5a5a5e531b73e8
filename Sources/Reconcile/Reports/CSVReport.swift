/// Formats rows as CSV: RFC 4180, UTF-8, CRLF, with a header, safe to open in a spreadsheet.
///
/// An absent value is an empty cell; an empty text is `""`. Text that a spreadsheet would run as a
/// formula gets a leading `'`. NUL, which breaks CSV readers, becomes U+FFFD. The dialects for
/// spreadsheets add a byte order mark and a leading `'` before text that reads as a number.
struct CSVReport<Row>: Sendable {
    let columns: [Column<Row>]
    var dialect = CSVDialect.plain

    func appendHeader(to bytes: inout [UInt8]) {
        if dialect.isForSpreadsheets { bytes.append(contentsOf: CSV.byteOrderMark) }
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(dialect.separator) }
            bytes.append(contentsOf: column.name.utf8)
        }
        bytes.append(contentsOf: CSV.lineEnd)
    }

    func append(_ row: Row, of run: RowStamp, to bytes: inout [UInt8]) {
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(dialect.separator) }
            CSV.append(column.cell(row, run), dialect, to: &bytes)
        }
        bytes.append(contentsOf: CSV.lineEnd)
    }
}
