/// Rows as CSV: RFC 4180, UTF-8, CRLF, a header; safe to open in a spreadsheet.
///
/// An absent value is an empty cell, an empty text is `""`. Text that a spreadsheet would run as
/// a formula is preceded by `'`. NUL, which no CSV reader survives, becomes U+FFFD.
struct CSVReport<Row>: Sendable {
    let columns: [Column<Row>]

    func appendHeader(to bytes: inout [UInt8]) {
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: column.name.utf8)
        }
        bytes.append(contentsOf: CSV.lineEnd)
    }

    func append(_ row: Row, of run: ReportingRun, to bytes: inout [UInt8]) {
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            CSV.append(column.cell(row, run), to: &bytes)
        }
        bytes.append(contentsOf: CSV.lineEnd)
    }
}

enum CSV {
    fileprivate static let lineEnd: [UInt8] = [13, 10]

    fileprivate static func append(_ cell: Cell, to bytes: inout [UInt8]) {
        switch cell {
        case .text(let text?): append(text: text, to: &bytes)
        // As text, because a year before Christ begins with a minus, and so does -infinity.
        case .instant(let instant?): append(text: instant.description, to: &bytes)
        case .day(let day?): append(text: day.dayText, to: &bytes)
        case .boolean(let truth?): bytes.append(contentsOf: (truth ? "true" : "false").utf8)
        case .integer(let number?): bytes.append(contentsOf: String(number).utf8)
        case .decimal(let digits?), .digest(let digits?): bytes.append(contentsOf: digits.utf8)
        case .text(nil), .instant(nil), .day(nil), .boolean(nil), .integer(nil), .decimal(nil),
            .digest(nil):
            break
        }
    }

    private static func append(text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            let isPlain = utf8.allSatisfy { $0 > 44 || ($0 >= 32 && $0 != quote && $0 != comma) }
            let isFormula = startsFormula(utf8)
            if isPlain && !utf8.isEmpty {
                if isFormula { bytes.append(apostrophe) }
                bytes.append(contentsOf: utf8)
            } else {
                bytes.append(quote)
                if isFormula { bytes.append(apostrophe) }
                appendQuoted(utf8, to: &bytes)
                bytes.append(quote)
            }
        }
    }

    private static func appendQuoted(
        _ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]
    ) {
        for byte in utf8 {
            switch byte {
            case quote: bytes.append(contentsOf: [quote, quote])
            case 0: bytes.append(contentsOf: replacementCharacter)
            default: bytes.append(byte)
            }
        }
    }

    /// Whether a spreadsheet may take the text for a formula, by its first character: one of
    /// `= + - @`, tab, CR, LF, or `＝ ＋ － ＠`, which some spreadsheets take for the former.
    static func startsFormula(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        switch utf8.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 9, 10, 13:
            return true
        case 0xEF where utf8.count >= 3 && utf8[1] == 0xBC:
            return [0x9D, 0x8B, 0x8D, 0xA0].contains(utf8[2])
        default:
            return false
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let apostrophe = UInt8(ascii: "'")
}
