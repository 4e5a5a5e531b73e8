/// A sheet of our own layout: titles, sentences and small tables, one below the other.
struct FreeSheet {
    let title: String
    let rows: [[WorkbookCell]]
    /// Rows at the top that stay in place.
    let frozenRows: Int
    let widths: [Int]
    private let isOnePage: Bool

    init(
        _ title: String, _ rows: [[WorkbookCell]], frozenRows: Int = 0, isOnePage: Bool = false
    ) {
        self.title = title
        self.rows = rows
        self.frozenRows = frozenRows
        self.isOnePage = isOnePage
        let columns = max(1, rows.map(\.count).max() ?? 1)
        widths = (0..<columns).map { index in
            let cells = rows.compactMap { $0.indices.contains(index) ? $0[index].width : nil }
            return min(index == 0 ? 60 : 24, max(index == 0 ? 24 : 10, cells.max() ?? 0))
        }
    }

    /// What is printed: all of it.
    var area: String { "$A$1:$\(lastColumn)$\(max(1, rows.count))" }

    private var lastColumn: String { Workbook.letters(widths.count - 1) }

    /// In points; nil: as its texts need it. A merged sentence has to be told its height.
    func height(of cells: [WorkbookCell]) -> Int? {
        switch cells.first {
        case .title: return 26
        case .sentence(let text) where cells.count == 1:
            // Most letters are narrower than a digit, by which widths are measured.
            let room = max(20, widths.reduce(0) { $0 + $1 + 2 } * 11 / 10)
            return 15 * ((text.count + room - 1) / room)
        default:
            let lines =
                cells.enumerated().map { index, cell in
                    max(1, (cell.textLength + widths[index] - 1) / widths[index])
                }.max() ?? 1
            return lines > 1 ? 15 * lines : nil
        }
    }

    var end: String {
        let sentences = rows.enumerated().filter { _, cells in
            guard cells.count == 1 else { return false }
            switch cells.first {
            case .sentence, .title: return true
            default: return false
            }
        }
        return SheetMarkup.end(
            merged: widths.count > 1
                ? sentences.map { "A\($0.offset + 1):\(lastColumn)\($0.offset + 1)" } : [],
            marks: "A1:\(lastColumn)\(max(1, rows.count))", pagesTall: isOnePage ? 1 : 0)
    }
}

extension WorkbookCell {
    /// Of texts that are wrapped.
    fileprivate var textLength: Int {
        switch self {
        case .heading(let text), .numberHeading(let text), .verdictHeading(let text),
            .sentence(let text):
            text.count
        default: 0
        }
    }
}
