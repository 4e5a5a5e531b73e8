/// Writes the folder of a period: its tables page by page, then what they add up to.
package final class PeriodFolder {
    /// Adds up events while their rows are written.
    private final class Sums {
        var tally = PeriodTally()
        /// The first amount that could not be added, if any.
        var unsummable: MoneyTally.Unsummable?

        func note(_ event: PeriodEvent) {
            do throws(MoneyTally.Unsummable) {
                try tally.add(event)
            } catch {
                unsummable = unsummable ?? error
            }
        }
    }

    private let period: FinancialPeriod
    private let folder: RangeFolder
    private let workbook: Workbook
    private let sums: Sums
    private let movements: ReportTable<Movement>
    private let refunds: ReportTable<PeriodEvent>
    private let expirations: ReportTable<PeriodEvent>

    /// - Parameter reports: as `RangeFolder.reports` has returned it.
    package init(
        reports: ReportsDirectory, _ period: FinancialPeriod, group: ReportGroup? = nil
    ) throws(ReportError) {
        let name = RangeName(.period, period.days, of: period.app)
        let folder = try RangeFolder(reports: reports, named: name, group: group)
        let workbook = Workbook(try folder.file("report.xlsx"))
        let sums = Sums()
        func table(_ file: FindingFile) throws(ReportError) -> ReportTable<PeriodEvent> {
            let columns = PeriodEvent.columns(file)
            return try folder.table(
                file.rawValue, columns,
                sheet: TableSheet(file.rawValue, columns: columns, in: workbook), note: sums.note)
        }
        self.period = period
        self.folder = folder
        self.workbook = workbook
        self.sums = sums
        movements = try folder.table(
            "movements", Movement.columns,
            sheet: TableSheet("movements", columns: Movement.columns, in: workbook))
        refunds = try table(.refunds)
        expirations = try table(.expirations)
    }

    /// Writes all files and gives the folder its name.
    /// - Throws: `ReportError`, with `doesNotTie` when a line of the movements does not; what
    ///   reading the rows throws; `Unsummable`. Nothing is then published.
    package func publish(
        _ runs: PeriodRuns, _ lines: [Movement],
        _ events: (FindingFile) -> ReportRows<PeriodEvent>,
        codeVersion: String, fence: () async throws -> Void
    ) async throws -> (path: String, summary: PeriodSummary) {
        try requireTies(lines)
        try await movements.write(ReportRows([lines]))
        try await refunds.write(events(.refunds))
        try await expirations.write(events(.expirations))
        if let unsummable = sums.unsummable { throw unsummable }
        let summary = try PeriodSummary(period, runs, lines, sums.tally)
        folder.add(try movements.finish() + refunds.finish() + expirations.finish())
        folder.add([
            try workbook.finish(summary: { PeriodSheet.rows(summary, lines, sheets: $0) })
        ])
        try folder.add("summary.json", PeriodJSON.bytes(summary))
        try folder.add("index.html", PeriodPage.bytes(summary, lines))
        try await fence()
        return (try folder.publish(codeVersion: codeVersion), summary)
    }

    private func requireTies(_ lines: [Movement]) throws(ReportError) {
        for line in lines {
            guard let difference = line.difference else { continue }
            throw ReportError(.doesNotTie("\(line.name) \(difference)"), path: folder.path)
        }
    }
}
