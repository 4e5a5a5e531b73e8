extension String {
    /// The rows of a table in text: a line each, with cells between " | ". Blank lines do not
    /// count, nor blanks around a cell, so that a cell may be empty.
    var rows: [[String]] {
        split(separator: "\n").map { line in
            (" " + line).split(separator: " |", omittingEmptySubsequences: false).map { cell in
                let start = cell.drop { $0 == " " }
                return String(start.dropLast(start.reversed().prefix { $0 == " " }.count))
            }
        }
    }
    var pairs: [(String, String)] { rows.map { ($0[0], $0[1]) } }
    var triples: [(String, String, String)] { rows.map { ($0[0], $0[1], $0[2]) } }
}
