/// A row of a financial detail report: what Apple settled of one SKU, price and storefront.
struct DetailRow {
    /// Nil for a row of no units.
    let key: AppleReport.Key?
    let units: Int

    init(_ cells: ReportCells) throws(ReportProblem) {
        let date = cells[.transactionDate]
        let quantity = cells[.quantity]
        let direction = cells[.direction]
        let sku = cells[.sku]
        guard let day = date.day else { throw .noDay("Transaction Date", date) }
        guard let number = quantity.number else { throw .noNumber("Quantity", quantity) }
        guard let measure = Self.measures[direction.text] else {
            throw ReportProblem(
                "\(direction.quoted) is neither S (sale) nor R (return). Give the file as Apple"
                    + " wrote it.")
        }
        guard !sku.bytes.isEmpty else { throw .empty("SKU") }
        units = abs(number)
        key =
            number == 0
            ? nil : AppleReport.Key(day: day, product: sku.id(), app: nil, measure: measure)
    }

    private static let measures: [String: UnitMeasure] = ["S": .sold, "R": .refunded]

    /// Whether a line begins the block of totals behind the rows.
    static func isEnd(_ line: UnsafeRawBufferPointer) -> Bool {
        let start = ReportCell(line).bytes
        return ["Country Of Sale", "Total_Rows"].contains { start.starts(with: $0.utf8) }
    }
}
