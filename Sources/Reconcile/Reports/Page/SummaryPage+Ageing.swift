extension SummaryPage {
    private static let mostProducts = 10

    /// What loses somebody something, by how long it does, with or without an amount.
    var ageing: HTML {
        let tables = Ageing.directions.flatMap { direction in
            Ageing.dimensions.compactMap { dimension in counts(direction, by: dimension) }
        }
        guard !tables.isEmpty else { return HTML(markup: "") }
        return HTML(
            markup: "<h2>How old it is</h2>\n" + tables.joined(separator: "\n")
                + "<p>Findings by the whole days from their cause to the night; events are told"
                + " once and do not age. All days, apps and products are in"
                + " <a href=\"totals.csv\">totals.csv</a>, column <code>age</code>.</p>")
    }

    private func counts(
        _ direction: Direction, by dimension: MoneyBreakdown.Dimension
    ) -> String? {
        let names = summary.ageing.names(direction, by: dimension)
        guard !names.isEmpty else { return nil }
        let ages = agesShown(direction, by: dimension, names)
        let most = dimension == .kind ? names.count : Self.mostProducts
        let rows = names.prefix(most).map { name in
            [HTML.Cell(Self.shown(name, as: dimension))]
                + ages.map { age in
                    let part = summary.ageing.part(direction, by: dimension, name, age)
                    guard part.findings > 0 else { return .dash }
                    return .number(
                        figure(agePath(direction, dimension, name, age) + ["findings"]))
                }
        }
        let what = direction == .leak ? "Leak" : "Owed"
        let header =
            [HTML.Cell(dimension.rawValue)]
            + ages.map { .number(HTML(Ageing.title(of: $0))) }
        let more = names.count - rows.count
        return HTML.table("\(what) by \(dimension.rawValue) and age, findings", header, rows).text
            + (more > 0 ? "<p>More are in <a href=\"summary.json\">summary.json</a>.</p>" : "")
    }

    /// All ages; the unknown one where something is of it.
    private func agesShown(
        _ direction: Direction, by dimension: MoneyBreakdown.Dimension, _ names: [String]
    ) -> [Age?] {
        Ageing.ages.filter { age in
            age != nil
                || names.contains { name in
                    summary.ageing.part(direction, by: dimension, name, age).findings > 0
                }
        }
    }

    func agePath(
        _ direction: Direction, _ dimension: MoneyBreakdown.Dimension, _ name: String, _ age: Age?
    ) -> [String] {
        ["ageing", direction.rawValue, dimension.rawValue, name, Ageing.key(of: age)]
    }

    static func shown(_ name: String, as dimension: MoneyBreakdown.Dimension) -> HTML {
        let shown = dimension == .kind ? FindingKind(rawValue: name)?.title ?? name : name
        return .breakable(shown.isEmpty ? "not known" : HTML.excerpt(shown))
    }
}
