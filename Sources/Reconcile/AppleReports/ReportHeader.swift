internal import Glibc

/// The header of a report: where the columns stand that are read, in any order and among others.
struct ReportHeader {
    let kind: AppleReport.Kind
    private let positions: [(column: ReportColumn, position: Int)]
    private let lastPosition: Int

    /// Nil for a line without all columns of a kind.
    init?(_ line: UnsafeRawBufferPointer) {
        let names = Self.names(in: line)
        for kind in AppleReport.Kind.allCases {
            let needed = ReportColumn.needed(of: kind)
            let positions = needed.compactMap { column in
                names.firstIndex(where: column.spellings.contains).map { (column, $0) }
            }
            guard positions.count == needed.count else { continue }
            self.kind = kind
            self.positions = positions
            lastPosition = positions.map(\.1).max() ?? 0
            return
        }
        return nil
    }

    /// The needed cells of a row; nil when the row is too short.
    func cells(of line: UnsafeRawBufferPointer) -> ReportCells? {
        let all = Self.cells(of: line, atMost: lastPosition + 1)
        guard all.count > lastPosition else { return nil }
        var cells = ReportCells()
        for (column, position) in positions { cells[column] = ReportCell(all[position]) }
        return cells
    }

    /// The columns that a line lacks to be the header that it resembles most; nil when it resembles
    /// none.
    static func missing(in line: UnsafeRawBufferPointer) -> [ReportColumn]? {
        let names = Set(names(in: line))
        let lacking = AppleReport.Kind.allCases.map { kind in
            let needed = ReportColumn.needed(of: kind)
            let missing = needed.filter { names.isDisjoint(with: $0.spellings) }
            return (missing: missing, found: needed.count - missing.count)
        }
        guard let best = lacking.max(by: { $0.found < $1.found }), best.found > 1 else {
            return nil
        }
        return best.missing
    }

    private static func names(in line: UnsafeRawBufferPointer) -> [String] {
        cells(of: line).map { ReportCell($0).text.lowercased() }
    }

    /// The bytes between the tabs.
    static func cells(
        of line: UnsafeRawBufferPointer, atMost most: Int = .max
    ) -> [UnsafeRawBufferPointer] {
        var cells: [UnsafeRawBufferPointer] = []
        var rest = line
        while cells.count < most {
            guard let start = rest.baseAddress, let tab = memchr(start, 9, rest.count) else {
                cells.append(rest)
                break
            }
            let count = UnsafeRawPointer(tab) - start
            cells.append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
        }
        return cells
    }
}
