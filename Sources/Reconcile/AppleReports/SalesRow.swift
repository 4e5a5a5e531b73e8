/// A row of a Summary Sales Report: units of one SKU, price and storefront on one day.
struct SalesRow {
    let day: Instant
    /// Nil for what is no sale or refund of an in-app purchase.
    let key: AppleReport.Key?
    let units: Int

    init(_ cells: ReportCells) throws(ReportProblem) {
        let begin = cells[.beginDate]
        let end = cells[.endDate]
        let units = cells[.units]
        guard let day = begin.day else { throw .noDay("Begin Date", begin) }
        guard let last = end.day else { throw .noDay("End Date", end) }
        guard day == last else {
            throw ReportProblem(
                "It covers \(begin.text) to \(end.text). Only daily reports can be compared day by"
                    + " day: download the daily Summary Sales Reports.")
        }
        guard let number = units.number else { throw .noNumber("Units", units) }
        self.day = day
        self.units = abs(number)
        guard Self.isInAppPurchase(cells[.productType]), number != 0 else {
            key = nil
            return
        }
        let sku = cells[.sku]
        guard !sku.bytes.isEmpty else { throw .empty("SKU") }
        key = AppleReport.Key(
            day: day, product: sku.id(), app: cells[.app].id(),
            measure: number > 0 ? .sold : .refunded)
    }

    /// Whether Apple's product type is an in-app purchase or subscription, and no restored one:
    /// `IA1`, `IAY`, `IA9-M` and `FI1` are, `IA3` and `1F` are not.
    private static func isInAppPurchase(_ type: ReportCell) -> Bool {
        let bytes = type.bytes
        guard bytes.starts(with: "IA".utf8) || bytes.starts(with: "FI".utf8) else { return false }
        return bytes.count < 3 || bytes[2] != UInt8(ascii: "3")
    }
}
