/// The findings that lose somebody something and their amounts, by how long they do: each kind and
/// each product, a line for each currency.
enum AgeingSheet {
    static func rows(_ summary: Summary) -> [[WorkbookCell]] {
        let ages = Ageing.ages.map(Ageing.title)
        let head = SheetHead.row(
            ["Who loses", "By", "Name"] + ages.map { $0 + ", findings" } + ["Currency"]
                + ages.map { $0 + ", amount" })
        let lines = Ageing.directions.flatMap { direction in
            Ageing.dimensions.flatMap { dimension in
                summary.ageing.names(direction, by: dimension).flatMap { name in
                    rows(summary.ageing, direction, dimension, name)
                }
            }
        }
        return [head]
            + (lines.isEmpty ? [[.text("Nothing: nobody loses anything.")]] : lines)
    }

    private static func rows(
        _ ageing: Ageing, _ direction: Direction, _ dimension: MoneyBreakdown.Dimension,
        _ name: String
    ) -> [[WorkbookCell]] {
        let parts = Ageing.ages.map { ageing.part(direction, by: dimension, name, $0) }
        let counts = parts.map { $0.findings > 0 ? WorkbookCell.integer($0.findings) : .empty }
        let currencies = Set(parts.flatMap(\.money.keys)).sorted()
        let shown = dimension == .kind ? FindingKind(rawValue: name)?.title ?? name : name
        let who = direction == .leak ? "the business (leak)" : "the customer (owed)"
        let start: [WorkbookCell] = [
            .text(who), .text(dimension.rawValue), .text(shown.isEmpty ? "not known" : shown),
        ]
        guard !currencies.isEmpty else { return [start + counts] }
        return currencies.enumerated().map { index, currency in
            start + (index == 0 ? counts : counts.map { _ in .empty })
                + [.text(currency.code)]
                + parts.map { $0.money[currency].map { .decimal($0.text) } ?? .empty }
        }
    }
}
