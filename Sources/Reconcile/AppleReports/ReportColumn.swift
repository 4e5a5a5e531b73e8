/// A column that is read, of either kind of report.
enum ReportColumn: Int, CaseIterable {
    case sku, productType, units, beginDate, endDate, app
    case transactionDate, quantity, direction

    /// In lower case; the first is for messages.
    var spellings: [String] {
        switch self {
        case .sku: ["sku"]
        case .productType: ["product type identifier"]
        case .units: ["units"]
        case .beginDate: ["begin date"]
        case .endDate: ["end date"]
        case .app: ["parent identifier"]
        case .transactionDate: ["transaction date"]
        case .quantity: ["quantity"]
        case .direction: ["sale or return", "sales or return"]
        }
    }

    /// Those that a kind of report needs.
    static func needed(of kind: AppleReport.Kind) -> [ReportColumn] {
        switch kind {
        case .sales: [.sku, .productType, .units, .beginDate, .endDate, .app]
        case .financialDetail: [.transactionDate, .sku, .quantity, .direction]
        }
    }
}

/// The cells of a row, by their columns.
struct ReportCells {
    private var cells: [ReportCell] = Array(
        repeating: ReportCell(UnsafeRawBufferPointer(start: nil, count: 0)),
        count: ReportColumn.allCases.count)

    subscript(column: ReportColumn) -> ReportCell {
        get { cells[column.rawValue] }
        set { cells[column.rawValue] = newValue }
    }
}
