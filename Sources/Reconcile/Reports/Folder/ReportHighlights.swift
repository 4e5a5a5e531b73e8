/// What the rows of the finding files came to as they were written: their money, and the most
/// costly ones, for the page that a person reads.
final class ReportHighlights {
    private(set) var money = MoneyTally()
    /// What the lines of `totals` came to.
    private(set) var totalMoney = MoneyTally()
    private(set) var totalCount = 0
    /// The first cell that is no amount, should there be one.
    private(set) var unsummable: MoneyTally.Unsummable?
    private(set) var costliest = CostliestFindings()
    private var rows: [FindingFile: Int] = [:]

    /// Rows of one file come in its order.
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

    func note(_ total: FindingTotal) {
        totalCount += total.count
        do throws(MoneyTally.Unsummable) {
            try totalMoney.add(total)
        } catch {
            unsummable = unsummable ?? error
        }
    }
}
