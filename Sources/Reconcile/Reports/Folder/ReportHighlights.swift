/// Collects, while rows are written, the sums to tie out and the costliest findings for the page.
final class ReportHighlights {
    private(set) var money = MoneyTally()
    private(set) var totalMoney = MoneyTally()
    private(set) var totalCount = 0
    private(set) var units = UnitCounts()
    /// The first amount that could not be added, if any.
    private(set) var unsummable: MoneyTally.Unsummable?
    private(set) var costliest = CostliestFindings()
    private var rows: [FindingFile: Int] = [:]

    /// Rows of one file must come in that file's order.
    func note(_ row: ReportedFinding) {
        do throws(MoneyTally.Unsummable) {
            try money.add(row)
        } catch {
            unsummable = unsummable ?? error
        }
        let file = row.finding.kind.file
        costliest.note(row, at: rows[file, default: 0])
        rows[file, default: 0] += 1
    }

    func note(_ line: UnitLine) { units += line.counts }

    func note(_ total: FindingTotal) {
        totalCount += total.count
        do throws(MoneyTally.Unsummable) {
            try totalMoney.add(total)
        } catch {
            unsummable = unsummable ?? error
        }
    }
}
