/// Compares a table of a published folder with rows from elsewhere, as they would be printed.
package struct FolderComparison {
    private let name: String
    private let files: CSVFiles?
    private let report: CSVReport<ReportedFinding>
    private let run: ReportingRun
    private var rows = 0
    /// The first difference, as a sentence.
    package private(set) var difference: String?

    /// - Parameters:
    ///   - name: of the table, without extension.
    ///   - folder: the path of the published folder.
    package init(_ name: String, in folder: String, of run: Run) {
        self.name = name
        report = CSVReport(columns: ReportedFinding.columns, dialect: run.csvDialect)
        files = CSVFiles(name, in: folder, of: report)
        self.run = run.reporting
        if files == nil || files?.strangeHeader != nil { difference = "\(name).csv: its header." }
    }

    /// Rows in the order of the report contract.
    package mutating func compare(_ page: [ReportedFinding]) {
        for row in page where difference == nil {
            rows += 1
            var printed: [UInt8] = []
            report.append(row, of: run, to: &printed)
            guard files?.takes(printed) != true else { continue }
            difference =
                "\(name).csv, row \(rows): the database has finding \(row.id) there, with"
                + " other values or at another place."
        }
    }

    package mutating func end() {
        if difference == nil, files?.hasMore() == true {
            difference = "\(name).csv: it has more rows than the \(rows) of the database."
        }
    }
}
