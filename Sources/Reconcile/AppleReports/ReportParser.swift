/// Reads the lines of a report, and adds up its rows.
struct ReportParser {
    static let mostHeaderLines = 10
    /// More than any report covers. Days are kept one by one.
    private static let mostDays: Int64 = 3_660
    /// Of a file, so that the sums of many files fit into 64 bits.
    private static let mostUnits = 1_000_000_000_000_000

    private var header: ReportHeader?
    private var preamble = ReportPreamble()
    /// The columns that the line lacks that is most like a header.
    private var missing: [ReportColumn]?
    private var isEnded = false

    private var rows = 0
    private var days: [Instant: Int] = [:]
    private var units: [AppleReport.Key: AppleReport.Tally] = [:]
    private var allUnits = 0

    mutating func take(_ line: ReportLines.Line) throws(ReportProblem) {
        var bytes = line.bytes
        if line.number == 1, bytes.starts(with: Self.byteOrderMark) {
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Self.byteOrderMark.count))
        }
        guard !ReportCell(bytes).bytes.isEmpty else { return }
        guard let header else { return try look(in: bytes, line.number) }
        if header.kind == .financialDetail, isEnded || DetailRow.isEnd(bytes) {
            try requireEnd(bytes)
            return
        }
        rows += 1
        do throws(ReportProblem) {
            try add(bytes, of: header, line.number)
        } catch {
            throw ReportHeader(bytes) == nil ? error : .secondReport
        }
    }

    private mutating func add(
        _ bytes: UnsafeRawBufferPointer, of header: ReportHeader, _ number: Int
    ) throws(ReportProblem) {
        guard let cells = header.cells(of: bytes) else { throw .tooShort }
        switch header.kind {
        case .sales:
            let row = try SalesRow(cells)
            if days[row.day] == nil { days[row.day] = number }
            try add(row.units, to: row.key)
        case .financialDetail:
            let row = try DetailRow(cells)
            try add(row.units, to: row.key)
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    // MARK: Before the rows

    private mutating func look(
        in bytes: UnsafeRawBufferPointer, _ number: Int
    ) throws(ReportProblem) {
        guard number <= Self.mostHeaderLines else { throw .noHeader(missing) }
        guard let found = ReportHeader(bytes) else {
            preamble.take(bytes, number)
            let lacking = ReportHeader.missing(in: bytes)
            if let lacking, missing.map({ lacking.count < $0.count }) ?? true { missing = lacking }
            return
        }
        header = found
        guard found.kind == .financialDetail else { return }
        let (first, last) = try preamble.days()
        let count = (last.milliseconds - first.milliseconds) / Instant.millisecondsPerDay
        guard 0 <= count, count < Self.mostDays else {
            throw ReportProblem(
                "Start Date \(first.dayText) and End Date \(last.dayText) before this line are no"
                    + " range of days. Give the file as Apple wrote it.")
        }
        for index in 0...count {
            days[first.advanced(byMilliseconds: index * Instant.millisecondsPerDay)] = number
        }
    }

    // MARK: Rows

    private mutating func add(
        _ units: Int, to key: AppleReport.Key?
    ) throws(ReportProblem) {
        guard let key else { return }
        allUnits += units
        guard allUnits <= Self.mostUnits else {
            throw ReportProblem(
                "The units up to this row add up to more than \(Self.mostUnits). Give the file as"
                    + " Apple wrote it.")
        }
        self.units[key, default: AppleReport.Tally()].units += units
        self.units[key, default: AppleReport.Tally()].rows += 1
    }

    /// Behind the rows of financial detail Apple adds up the report. Another report there would be
    /// lost.
    private mutating func requireEnd(_ bytes: UnsafeRawBufferPointer) throws(ReportProblem) {
        isEnded = true
        guard ReportHeader(bytes) == nil else { throw .secondReport }
    }

    // MARK: The whole report

    /// - Parameters:
    ///   - path: of the file, whose name tells the day of a sales report without rows.
    ///   - digests: of the file and of its content.
    func report(
        _ path: String, sha256: Digest, contentSHA256: Digest
    ) throws(ReportProblem) -> AppleReport {
        guard let header else { throw .noHeader(missing) }
        var days = days
        if header.kind == .sales, rows == 0, let day = ReportFileName.day(in: path) {
            days[day] = 1
        }
        return AppleReport(
            path: path, kind: header.kind, sha256: sha256.hexadecimal,
            contentSHA256: contentSHA256.hexadecimal, rows: rows, days: days, units: units)
    }
}
