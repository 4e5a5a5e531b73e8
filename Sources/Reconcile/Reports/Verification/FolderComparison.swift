/// Compares a table of a folder with the rows of the database, in the order of the report contract.
package struct FolderComparison<Row: ReadableRow> {
    /// How many rows are the same.
    package private(set) var rows = 0
    package private(set) var difference: String?
    private let name: String
    private let files: CSVFiles?
    private let report: CSVReport<Row>
    private let run: ReportingRun

    init(_ name: String, columns: [Column<Row>], in folder: String, of run: Run) {
        self.name = name
        report = CSVReport(columns: columns, dialect: run.csvDialect)
        files = CSVFiles(name, in: folder, of: report)
        self.run = run.reporting
        if files == nil || files?.strangeHeader != nil { difference = "\(name).csv: its header." }
    }

    package mutating func compare(_ page: [Row]) {
        for row in page where difference == nil {
            var printed: [UInt8] = []
            report.append(row, of: run, to: &printed)
            guard files?.takes(printed) == true else {
                difference =
                    "\(name).csv, row \(rows + 1): differs from \(row.name) of the database, in its"
                    + " values or its place."
                return
            }
            rows += 1
        }
    }

    package mutating func end() {
        if difference == nil, files?.hasMore() == true {
            difference = "\(name).csv: has more rows than the \(rows.grouped) of the database."
        }
    }
}

extension FolderComparison where Row == ReportedFinding {
    /// Of a file of findings, or of `cleared`.
    package init(_ name: String, in folder: String, of run: Run) {
        self.init(name, columns: ReportedFinding.columns, in: folder, of: run)
    }
}

extension FolderComparison where Row == UnverifiedReceipt {
    package init(in folder: String, of run: Run) {
        self.init("unverified", columns: UnverifiedReceipt.columns, in: folder, of: run)
    }
}

extension FolderComparison where Row == NotReportedRow {
    package init(in folder: String, of run: Run) {
        self.init("not_reported", columns: NotReportedRow.columns, in: folder, of: run)
    }
}
