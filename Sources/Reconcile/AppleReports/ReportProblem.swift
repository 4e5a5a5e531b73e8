/// What is wrong with a line of a report, and what to do.
struct ReportProblem: Error, Equatable {
    let text: String
    /// Nil: the line that is being read.
    var line: Int?

    init(_ text: String, line: Int? = nil) {
        self.text = text
        self.line = line
    }

    static func noDay(_ column: String, _ cell: ReportCell) -> Self {
        Self(
            "\(column) \(cell.quoted) is no day in the form MM/DD/YYYY. Give the file as Apple"
                + " wrote it.")
    }

    static func noNumber(_ column: String, _ cell: ReportCell) -> Self {
        Self(
            "\(column) \(cell.quoted) is no whole number of at most \(ReportCell.mostDigits)"
                + " digits. Give the file as Apple wrote it.")
    }

    static func empty(_ column: String) -> Self {
        Self("\(column) is empty. Give the file as Apple wrote it.")
    }

    static let tooShort = Self(
        "The row ends before a column that is needed. Download the report again.")

    static let secondReport = Self(
        "A second report begins here. Give each report as a file of its own.")

    static let longLine = Self(
        "The line has more than \(ReportLines.mostBytes >> 10) KiB, so this is no report of App"
            + " Store Connect. Check the file.")

    static let notUTF8 = Self("The line is not UTF-8. Give the file as Apple wrote it.")

    static let damaged = Self(
        "The gzip data is damaged here, or something else follows it. Download the report again.")

    static let truncated = Self(
        "The gzip data ends here, in the middle. Download the report again.")

    /// - Parameter missing: what the line lacks that is most like a header.
    static func noHeader(_ missing: [ReportColumn]?) -> Self {
        let names = missing.map { $0.compactMap(\.spellings.first).joined(separator: ", ") }
        let lacking = names.map { " The line that is most like one lacks: \($0)." } ?? ""
        return Self(
            "None of the first \(ReportParser.mostHeaderLines) lines is the header of a Summary"
                + " Sales Report (SKU, Product Type Identifier, Units, Begin Date, End Date, Parent"
                + " Identifier) or of a financial detail report (Transaction Date, SKU, Quantity,"
                + " Sale or Return).\(lacking) Download one of these two from App Store Connect.",
            line: 1)
    }
}
