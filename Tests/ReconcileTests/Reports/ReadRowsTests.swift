import Testing

@testable import Reconcile
@testable import TestSupport

/// What `verify` reads of a table's row. To add a case: a column, with the values that it may have.
@Suite("A row of a published table that is read again")
struct ReadRowsTests {
    /// None of the cells needs quotes.
    private func cells<Row>(_ row: Row, _ columns: [Column<Row>]) -> [String?] {
        var bytes: [UInt8] = []
        CSVReport(columns: columns, dialect: .plain).append(row, of: .sample(), to: &bytes)
        return String(decoding: bytes.dropLast(2), as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? nil : String($0) }
    }

    @Test(
        "An unverified receipt keeps its source",
        arguments: [nil, .verifyReceipt, .serverAPI] as [AnswerSource?])
    func source(_ source: AnswerSource?) {
        var row = UnverifiedReceipt.sample()
        row.bundle = "app"
        row.source = source
        let columns = UnverifiedReceipt.columns
        #expect(RowReader(columns).row(cells(row, columns)) == row)
    }

    @Test(
        "A total keeps what its amount was calculated from",
        arguments: [nil, .recordedPrice, .listPrice] as [AmountBasis?])
    func basis(_ basis: AmountBasis?) {
        var total = FindingTotal(FindingTotal.Group(.full, asOf: .asOf), count: 2, amount: "0.66")
        total.group.amountBasis = basis
        let columns = FindingTotal.columns
        #expect(RowReader(columns).row(cells(total, columns)) == total)
    }

    @Test("An amount with a decimal comma is the same amount")
    func comma() {
        let total = FindingTotal(FindingTotal.Group(.full, asOf: .asOf), count: 2, amount: "0.66")
        let columns = FindingTotal.columns
        var cells = cells(total, columns)
        for index in cells.indices where cells[index] == "0.66" { cells[index] = "0,66" }
        #expect(RowReader(columns, .excelEU).row(cells) == total)
    }

    @Test("A total keeps its age", arguments: [nil] + Age.allCases.map(Optional.some))
    func age(_ age: Age?) {
        var total = FindingTotal(FindingTotal.Group(.full, asOf: .asOf), count: 2, amount: "0.66")
        total.group.age = age
        let columns = FindingTotal.columns
        #expect(RowReader(columns).row(cells(total, columns)) == total)
    }

    @Test("A source that there is not is no value")
    func unknown() {
        var cells = cells(.sample(), UnverifiedReceipt.columns)
        cells[cells.endIndex - 1] = "apple"
        #expect(RowReader(UnverifiedReceipt.columns).row(cells) == nil)
    }

    @Test("Totals that differ by basis alone have an order")
    func order() {
        let bases: [AmountBasis?] = [nil, .listPrice, .recordedPrice]
        let totals = bases.map { basis in
            var total = FindingTotal(
                FindingTotal.Group(.full, asOf: .asOf), count: 1, amount: "0.33")
            total.group.amountBasis = basis
            return total
        }
        #expect(totals[0].comesBefore(totals[1]))
        #expect(totals[1].comesBefore(totals[2]))
        #expect(!totals[2].comesBefore(totals[1]))
    }
}
