/// An empty row, and the heading of a small table.
enum SheetHead {
    private static let texts: Set = [
        "Currency", "Bucket", "File", "Who loses", "By", "Name",
    ]

    static func rows(_ names: [String]) -> [[WorkbookCell]] { [[], row(names)] }

    static func row(_ names: [String]) -> [WorkbookCell] {
        names.enumerated().map { index, name in
            if name == "Ties out" { return .verdictHeading(name) }
            return index == 0 || texts.contains(name) ? .heading(name) : .numberHeading(name)
        }
    }
}
