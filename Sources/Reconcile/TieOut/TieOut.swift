/// Our figures beside Apple's: each day, app and product, and all days together.
package struct TieOut: Sendable {
    package let range: PacificDays
    let reports: ReportSet
    let scope: TieOutScope
    let published: PublishedUnits
    /// Those that both have, in order.
    let days: [Instant]
    /// Of all days first.
    package let lines: [TieOutLine]
    /// How many rows count, of each file of `reports`.
    let countedRows: [Int]

    /// - Parameters:
    ///   - range: the days to compare; those that a file or we lack are left out.
    ///   - products: of the catalogue: financial detail has other SKUs too.
    /// - Returns: nil when no day is left.
    package init?(
        _ reports: ReportSet, _ published: PublishedUnits, in range: PacificDays,
        _ scope: TieOutScope, products: Set<ProductID>
    ) {
        let reported = reports.days
        let days = range.all.filter {
            reported.contains($0) && published.runOfDay[$0] != nil
        }
        guard !days.isEmpty else { return nil }
        var table = UnitTable(
            published, of: Set(days), apps: scope.apps, isDetail: reports.kind == .financialDetail,
            products: products)
        countedRows = reports.files.map { $0.isCounted ? table.add($0.report) : 0 }
        self.range = range
        self.reports = reports
        self.scope = scope
        self.published = published
        self.days = days
        lines = table.sums.lines(within: scope.tolerance)
    }

    var missingInReports: [Instant] {
        let reported = reports.days
        return range.all.filter { !reported.contains($0) }
    }

    var missingInRuns: [Instant] { range.all.filter { published.runOfDay[$0] == nil } }

    var linesOfAllDays: [TieOutLine] { lines.filter { $0.key.day == nil } }

    /// Of all days.
    package var lineCount: Int { linesOfAllDays.count }

    package var untiedCount: Int { linesOfAllDays.count { $0.verdict != .tied } }
}
