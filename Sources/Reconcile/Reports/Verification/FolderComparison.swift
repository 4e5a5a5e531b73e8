package struct FolderComparison {
    private let name: String
    private let files: CSVFiles?
    private let report: CSVReport<ReportedFinding>
    private let run: ReportingRun
    private var rows = 0
    package private(set) var difference: String?

    package init(_ name: String, in folder: String, of run: Run) {
        self.name = name
        report = CSVReport(columns: ReportedFinding.columns, dialect: run.csvDialect)
        files = CSVFiles(name, in: folder, of: report)
        self.run = run.reporting
        if files == nil || files?.strangeHeader != nil { difference = "\(name).csv: its header." }
    }

    /// Pages must come in the order of the report contract.
    package mutating func compare(_ page: [ReportedFinding]) {
        for row in page where difference == nil {
            rows += 1
            var printed: [UInt8] = []
            report.append(row, of: run, to: &printed)
            guard files?.takes(printed) != true else { continue }
            difference =
                "\(name).csv, row \(rows): differs from finding \(row.id) of the database, in its"
                + " values or its place."
        }
    }

    package mutating func end() {
        if difference == nil, files?.hasMore() == true {
            difference = "\(name).csv: has more rows than the \(rows) of the database."
        }
    }
}
