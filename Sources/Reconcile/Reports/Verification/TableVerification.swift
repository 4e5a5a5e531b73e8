/// Checks the two files of a table against each other: parses each CSV row, prints it again as CSV
/// and as JSON, and compares the bytes with both files.
struct TableVerification<Row: ReadableRow> {
    private let name: String
    private let columns: [Column<Row>]
    private let run: RowStamp
    private let dialect: CSVDialect
    private let reader: RowReader<Row>

    init(name: String, columns: [Column<Row>], run: RowStamp, dialect: CSVDialect) {
        self.name = name
        self.columns = columns
        self.run = run
        self.dialect = dialect
        reader = RowReader(columns, dialect)
    }

    /// - Parameters:
    ///   - note: called with each row and its number, from 1.
    ///   - fail: called with each fault. Reading ends at the first row that is not whole.
    /// - Returns: the rows of each CSV file; nil when they were not read to their end.
    func rows(
        in folder: OpenFolder?, note: (Row, Int) -> Void, fail: (RowFault) -> Void
    ) -> [Int]? {
        let report = CSVReport(columns: columns, dialect: dialect)
        func fault(_ cause: RowFault.Cause, _ type: String, _ row: Int?, _ sentence: String) {
            fail(RowFault(cause: cause, file: "\(name).\(type)", row: row, sentence: sentence))
        }
        guard let folder, let csv = CSVFiles(name, in: folder, of: report),
            let json = FileReader("\(name).json", in: folder)
        else {
            fault(.width, "csv", nil, "it or \(name).json cannot be read")
            return nil
        }
        var lines = JSONReport(columns: columns)
        var count = 0
        while let record = csv.record() {
            count += 1
            guard record.cells.count == columns.count else {
                fault(.width, "csv", count, "\(record.cells.count) cells, not \(columns.count)")
                return nil
            }
            guard let row = row(record, report) else {
                let sentence =
                    "a value is not valid in its column, or is not formatted as it should be"
                fault(.value, "csv", count, sentence)
                return nil
            }
            guard let same = match(row, record, json, &lines) else {
                fault(.pair, "json", count, "differs from \(name).csv")
                return nil
            }
            note(same, count)
        }
        if let file = csv.strangeHeader {
            fail(
                RowFault(
                    cause: .width, file: file, row: nil,
                    sentence: "the header differs from this release's"))
            return nil
        }
        var end: [UInt8] = []
        lines.appendEnd(to: &end)
        if json.take(end.count + 1) != end {
            fault(.end, "json", nil, "does not end after the \(count.grouped) rows of \(name).csv")
            return nil
        }
        return csv.rows
    }

    private func row(_ record: CSVRecord, _ report: CSVReport<Row>) -> Row? {
        guard let row = reader.row(record.cells(unguarding: Set(record.guarded))) else {
            return nil
        }
        var printed: [UInt8] = []
        report.append(row, of: run, to: &printed)
        return printed == record.bytes ? row : nil
    }

    /// Consumes the row's JSON line. A CSV cell that begins with `'` and a formula may or may not
    /// have an added `'`; the JSON, which adds none, decides.
    private func match(
        _ row: Row, _ record: CSVRecord, _ json: FileReader, _ lines: inout JSONReport<Row>
    ) -> Row? {
        var printed: [UInt8] = []
        let before = lines
        lines.append(row, of: run, to: &printed)
        // One byte too short for each leading `'` that belongs to the text.
        let line = json.take(printed.count)
        if line == printed { return row }
        for choice in 0..<(1 << min(record.guarded.count, 6)) {
            let indices = record.guarded.enumerated().filter { choice >> $0.offset & 1 == 1 }
            guard
                let other = reader.row(record.cells(unguarding: Set(indices.map(\.element))))
            else { continue }
            var candidate: [UInt8] = []
            var again = before
            again.append(other, of: run, to: &candidate)
            let missing = candidate.count - line.count
            if missing >= 0, candidate.starts(with: line),
                Array(candidate.suffix(missing)) == json.preview(missing)
            {
                _ = json.take(missing)
                lines = again
                return other
            }
        }
        return nil
    }
}

extension TableVerification {
    /// Reads the table to its end, or to the first row that is not whole.
    /// - Parameters:
    ///   - entries: the files that the manifest lists, with their rows.
    ///   - inspect: returns what is wrong with a row, or nil.
    /// - Returns: what is wrong, and how many rows were read.
    func faults(
        in folder: OpenFolder?, entries: [Manifest.Entry], precedes: (Row, Row) -> Bool,
        inspect: (Row) -> (RowFault.Cause, String)?
    ) -> (TableFaults, rows: Int) {
        var faults = TableFaults()
        var last: Row?
        var read = 0
        let csv = name + ".csv"
        let counts = rows(
            in: folder,
            note: { row, number in
                read += 1
                func note(_ cause: RowFault.Cause, _ sentence: String) {
                    faults.note(
                        RowFault(cause: cause, file: csv, row: number, sentence: sentence))
                }
                if let last, precedes(row, last) {
                    note(.order, "belongs before the previous row")
                }
                last = row
                if let (cause, sentence) = inspect(row) { note(cause, sentence) }
            }, fail: { faults.note($0) })
        if let counts { compare(counts, with: entries, &faults) }
        return (faults, read)
    }

    private func compare(
        _ counts: [Int], with entries: [Manifest.Entry], _ faults: inout TableFaults
    ) {
        var expected = [name + ".json": counts.reduce(0, +)]
        for (part, count) in counts.enumerated() {
            expected[CSV.name(of: name, part: part + 1)] = count
        }
        for entry in entries {
            guard let count = expected[entry.name], entry.rows != count else { continue }
            let listed = entry.rows?.grouped ?? "no"
            faults.note(
                RowFault(
                    cause: .width, file: "manifest.json", row: nil,
                    sentence: "\(entry.name) has \(listed) rows, but the file has \(count.grouped)"
                ))
        }
    }
}
