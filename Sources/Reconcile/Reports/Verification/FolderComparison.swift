/// Compares a table of a folder with the rows of the database, in the order of the report contract.
///
/// The database has no rows of erased users; a folder that was published before has them. So as
/// many rows as it recorded as erased, and no more, may be in the folder alone.
package struct FolderComparison<Row: ReadableRow> {
    /// How many rows are the same.
    package private(set) var rows = 0
    /// The rows of erased users.
    package private(set) var erased: [Row] = []
    package private(set) var difference: String?
    private let name: String
    private let files: CSVFiles?
    private let report: CSVReport<Row>
    private let reader: RowReader<Row>
    private let run: RowStamp
    private let mostErased: Int
    /// Whether rows of the folder may be different because of erased users.
    private let isErased: Bool

    init(
        _ name: String, columns: [Column<Row>], in folder: OpenFolder?, of run: Run, erased: Erasure
    ) {
        self.name = name
        report = CSVReport(columns: columns, dialect: run.csvDialect)
        reader = RowReader(columns, run.csvDialect)
        files = folder.flatMap { [report] in CSVFiles(name, in: $0, of: report) }
        self.run = run.reporting
        mostErased = erased.rows(of: name)
        isErased = !erased.isEmpty
        if files == nil || files?.strangeHeader != nil { difference = "\(name).csv: its header." }
    }

    package mutating func compare(_ page: [Row]) {
        for row in page where difference == nil {
            guard takes(row) else {
                difference =
                    "\(name).csv, row \(rows + erased.count + 1): differs from \(row.name) of the"
                    + " database, in its values or its place."
                return
            }
            rows += 1
        }
    }

    package mutating func end() {
        while difference == nil, files?.hasMore() == true {
            guard let record = files?.record(), skips(record) else {
                difference =
                    "\(name).csv: has more rows than the \(rows.grouped) of the database"
                    + (mostErased == 0 ? "." : " and the \(mostErased.grouped) of erased users.")
                return
            }
        }
        guard difference == nil, erased.count != mostErased else { return }
        difference =
            "\(name).csv: has \(erased.count.grouped) rows of erased users, but the database"
            + " recorded \(mostErased.grouped)."
    }

    /// Consumes the row's record, and before it those of erased users.
    private mutating func takes(_ row: Row) -> Bool {
        let printed = printed(row)
        guard isErased else { return files?.takes(printed) == true }
        while let record = files?.record() {
            if record.bytes == printed || isSame(row, as: record) { return true }
            guard skips(record) else { return false }
        }
        return false
    }

    /// Whether the record is the row but for the id of an erased user in its sentence.
    private func isSame(_ row: Row, as record: CSVRecord) -> Bool {
        guard let other = reader.row(record.cells), let named = row.naming(likeIn: other) else {
            return false
        }
        return printed(named) == record.bytes
    }

    private mutating func skips(_ record: CSVRecord) -> Bool {
        guard erased.count < mostErased,
            let row = reader.row(record.cells(unguarding: Set(record.guarded)))
        else { return false }
        erased.append(row)
        return true
    }

    private func printed(_ row: Row) -> [UInt8] {
        var printed: [UInt8] = []
        report.append(row, of: run, to: &printed)
        return printed
    }
}

extension FolderComparison where Row == ReportedFinding {
    /// Of a file of findings, or of `cleared`.
    package init(_ name: String, in folder: OpenFolder?, of run: Run, erased: Erasure) {
        self.init(name, columns: ReportedFinding.columns, in: folder, of: run, erased: erased)
    }
}

extension FolderComparison where Row == UnverifiedReceipt {
    package init(in folder: OpenFolder?, of run: Run, erased: Erasure) {
        self.init(
            "unverified", columns: UnverifiedReceipt.columns, in: folder, of: run, erased: erased)
    }
}

extension FolderComparison where Row == UnitLine {
    /// Units name no user, so that none of them are erased.
    package init(in folder: OpenFolder?, of run: Run) {
        self.init("units", columns: UnitLine.columns, in: folder, of: run, erased: Erasure())
    }
}

extension FolderComparison where Row == NotReportedRow {
    package init(in folder: OpenFolder?, of run: Run, erased: Erasure) {
        self.init(
            "not_reported", columns: NotReportedRow.columns, in: folder, of: run, erased: erased)
    }
}
