/// Something wrong in the files of a table.
struct RowFault {
    /// What is reported in one line, however many rows have it.
    enum Cause {
        case width, value, pair, end, order, content, sum
    }

    let cause: Cause
    let file: String
    /// From 1; nil for the file as a whole.
    let row: Int?
    let sentence: String
}

/// What is wrong in the files of a table: the first fault of each cause, and how many more there
/// are of it.
struct TableFaults {
    private var first: [RowFault] = []
    private var counts: [RowFault.Cause: Int] = [:]

    var isEmpty: Bool { first.isEmpty }

    mutating func note(_ fault: RowFault) {
        counts[fault.cause, default: 0] += 1
        if counts[fault.cause] == 1 { first.append(fault) }
    }

    /// One sentence a cause.
    var sentences: [String] {
        first.map { fault in
            let row = fault.row.map { ", row \($0)" } ?? ""
            let others = (counts[fault.cause] ?? 1) - 1
            let more =
                others == 0
                ? "" : " (and \(others.grouped) more \(others == 1 ? "row" : "rows"))"
            return "\(fault.file)\(row): \(fault.sentence)\(more)."
        }
    }
}
