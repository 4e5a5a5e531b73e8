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
            let cells = rows.compactMap { row -> Int? in
                guard row.indices.contains(index) else { return nil }
                // A text may reach into empty cells.
                let isAlone = index > 0 && row.dropFirst(index + 1).allSatisfy { $0 == .empty }
                if case .text = row[index], isAlone { return nil }
                return index == 0 ? row[index].width + 1 : row[index].leastWidth
            }
            return min(index == 0 ? 60 : 40, max(index == 0 ? 24 : 9, cells.max() ?? 0))
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
            let room = max(20, widths.reduce(0) { $0 + $1 + 2 } * 6 / 5)
            return 15 * ((text.count + room - 1) / room)
        default:
            let lines =
                cells.enumerated().map { index, cell in
                    cell.lines(in: widths[index])
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
    /// Nil for texts that are not wrapped.
    private var wrapped: String? {
        switch self {
        case .heading(let text), .numberHeading(let text), .verdictHeading(let text),
            .sentence(let text):
            text
        default: nil
        }
    }

    /// That of the longest word of a heading, which is bold; else that of all.
    fileprivate var leastWidth: Int {
        switch self {
        case .heading, .numberHeading, .verdictHeading:
            (wrapped?.split(separator: " ").map(\.count).max() ?? 0) + 2
        default: width
        }
    }

    /// The lines that a text is wrapped to, by words.
    fileprivate func lines(in width: Int) -> Int {
        guard let wrapped else { return 1 }
        var lines = 1
        var used = 0
        for word in wrapped.split(separator: " ") {
            if used > 0, used + 1 + word.count > width {
                lines += 1
                used = word.count
            } else {
                used += (used > 0 ? 1 : 0) + word.count
            }
        }
        return lines
    }
}
