/// Compares a table of a published folder with rows from elsewhere, as they would be printed.
package struct FolderComparison {
    private let name: String
    private let file: FileReader?
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
        file = FileReader(folder + "/\(name).csv")
        report = CSVReport(columns: ReportedFinding.columns)
        self.run = run.reporting
        var header: [UInt8] = []
        report.appendHeader(to: &header)
        if file?.take(header.count) != header { difference = "\(name).csv: its header." }
    }

    /// Rows in the order of the report contract.
    package mutating func compare(_ page: [ReportedFinding]) {
        for row in page where difference == nil {
            rows += 1
            var printed: [UInt8] = []
            report.append(row, of: run, to: &printed)
            guard file?.take(printed.count) != printed else { continue }
            difference =
                "\(name).csv, row \(rows): the database has finding \(row.id) there, with"
                + " other values or at another place."
        }
    }

    package mutating func end() {
        if difference == nil, file?.peek() != nil {
            difference = "\(name).csv: it has more rows than the \(rows) of the database."
        }
    }
}
