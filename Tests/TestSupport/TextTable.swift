/// The rows of a table in text: a line each, with cells between " | ". Blank lines do not count,
/// nor blanks around a cell, so that a cell may be empty.
func textTable(_ text: String) -> [[String]] {
    text.split(separator: "\n").map { line in
        (" " + line).split(separator: " |", omittingEmptySubsequences: false).map { cell in
            let start = cell.drop { $0 == " " }
            return String(start.dropLast(start.reversed().prefix { $0 == " " }.count))
        }
    }
}

func textPairs(_ text: String) -> [(String, String)] { textTable(text).map { ($0[0], $0[1]) } }

func textTriples(_ text: String) -> [(String, String, String)] {
    textTable(text).map { ($0[0], $0[1], $0[2]) }
}
