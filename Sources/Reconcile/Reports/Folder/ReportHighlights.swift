/// What the rows of the finding files came to as they were written: their money, and the first
/// rows of each file, for the page that a person reads.
final class ReportHighlights {
    /// As many as a screen holds.
    static let mostRows = 20

    private(set) var money = MoneyTally()
    /// What the lines of `totals` came to.
    private(set) var totalMoney = MoneyTally()
    private(set) var totalCount = 0
    /// The first cell that is no amount, should there be one.
    private(set) var unsummable: MoneyTally.Unsummable?
    private var rowsByFile: [FindingFile: [ReportedFinding]] = [:]

    /// Rows of one file come in its order.
    func note(_ row: ReportedFinding) {
        do throws(MoneyTally.Unsummable) {
            try money.add(row)
        } catch {
            unsummable = unsummable ?? error
        }
        let isEvent = FindingKind.events.contains(row.finding.kind)
        guard !isEvent, row.lifecycle != .accepted else { return }
        let file = row.finding.kind.file
        if rowsByFile[file, default: []].count < Self.mostRows {
            rowsByFile[file, default: []].append(row)
        }
    }

    func note(_ total: FindingTotal) {
        totalCount += total.count
        do throws(MoneyTally.Unsummable) {
            try totalMoney.add(total)
        } catch {
            unsummable = unsummable ?? error
        }
    }

    /// The first rows of all files together, without events and what somebody has accepted.
    var rows: [ReportedFinding] {
        Array(
            rowsByFile.values.joined().sorted { $0.comesBefore($1) }.prefix(Self.mostRows))
    }
}
