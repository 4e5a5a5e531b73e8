internal import Reconcile

/// `reconcile-job tie-out`: compares the units that published runs have counted with what Apple's
/// reports say, and writes a folder about it.
struct TieOutCommand: Sendable {
    private let configuration: Configuration
    private var settings: TieOutSettings { configuration.tieOut }

    init(_ configuration: Configuration) { self.configuration = configuration }

    func run() async throws -> Ending {
        let reports = try reportSet()
        guard let range = configuration.period.range ?? reports.range else {
            throw Ending(
                .unknownID,
                "No file has a row, nor a day in its name (S_D_80012345_20261101.txt): there is"
                    + " nothing to compare. Give the reports under the names that Apple gave them.")
        }
        let tieOut = try await compared(reports, in: range)
        let report = TieOutReport(tieOut, codeVersion: Version.text)
        let group = try configuration.group()
        let folder = try await report.write(
            in: RangeFolder.reports(configuration.reports, group: group), for: group)
        if !configuration.isQuiet {
            switch configuration.output {
            case .text: try StandardStream.print(report.text(folder: folder))
            case .json: try StandardStream.print(report.summary)
            case .none: break
            }
        }
        let within = settings.within.text
        guard tieOut.untiedCount > 0 else {
            return Ending(.complete, "All products are tied within \(within): \(folder).")
        }
        return Ending(
            .findings,
            "\(tieOut.untiedCount.grouped) of \(tieOut.lineCount.grouped) lines are not tied within"
                + " \(within): \(folder)/index.html says what a difference can be.")
    }

    private func reportSet() throws -> ReportSet {
        let reports = try settings.files.map(read)
        let set: ReportSet
        do throws(ReportSet.Mismatch) {
            set = try ReportSet(reports)
        } catch {
            switch error {
            case .unreadable(let problem): throw problem
            case .kinds(let sales, let financial):
                throw Ending(
                    .usage,
                    "\(sales) is a sales report and \(financial) a financial one. Compare one kind"
                        + " at a time.")
            case .noFiles: throw Ending(.usage, "No file is given.")
            }
        }
        guard set.kind == .sales || settings.apps.isEmpty else {
            throw Ending(
                .usage,
                "--app needs sales reports: financial detail does not say which app a row is of."
                    + " Leave it out.")
        }
        return set
    }

    private func read(_ path: String) throws -> AppleReport {
        let reader = AppleReportReader(path)
        try InputFile.forEachPiece(of: path) { piece in
            try Task.checkCancellation()
            try reader.read(piece)
        }
        return try reader.finish()
    }

    private func compared(_ reports: ReportSet, in range: PacificDays) async throws -> TieOut {
        guard !TieOutScope.isTooLong(range) else {
            throw Ending(
                .usage,
                "\(range.firstText) to \(range.lastText) are more than"
                    + " \(TieOutScope.mostDays.grouped) days. Give --from and --to.")
        }
        let (published, products) = try await configuration.withDatabase { database in
            (
                try await database.units.published(in: range),
                reports.kind == .sales ? [] : try await database.units.catalogProducts()
            )
        }
        guard
            let tieOut = TieOut(
                reports, published, in: range, settings.scope, products: products)
        else {
            throw Ending(
                .unknownID,
                "No day from \(range.firstText) to \(range.lastText) is both in the files and in a"
                    + " published run: nothing was written. A run counts the days of --units-days"
                    + " before it; reconcile-job runs lists the runs.")
        }
        return tieOut
    }
}
