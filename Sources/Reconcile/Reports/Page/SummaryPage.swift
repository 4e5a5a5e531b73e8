/// The page `index.html`: one run for a human reader, in one file that loads nothing. Every figure
/// names its source (`data-source`), and every text from the database is escaped.
struct SummaryPage {
    let summary: Summary
    let outline: SummaryOutline
    let costliest: CostliestFindings

    static func bytes(
        _ summary: Summary, costliest: CostliestFindings, codeVersion: String
    ) -> [UInt8] {
        let page = SummaryPage(
            summary: summary, outline: SummaryOutline(summary, codeVersion: codeVersion),
            costliest: costliest)
        let parts = [
            page.head, page.heading, page.moneyCards, page.charts, page.kinds, page.ageing,
            page.costliest.html,
            page.refundNotices, page.unverified, page.agreement, page.accepted, page.controls,
            page.judgement,
        ]
        return Array(parts.map(\.text).joined(separator: "\n").utf8)
    }

    private var head: HTML {
        HTML(
            markup: """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
                'unsafe-inline'">
                <title>Reconciliation \(HTML.escaped(summary.run.id.text))</title>
                <style>
                \(PageStyle.sheet)
                </style>
                </head>
                <body>
                <main>
                """)
    }

    // MARK: Is the run complete?

    private var heading: HTML {
        let run = summary.run
        let notices = summary.notices.map { "<p class=\"notice\">\(sourced(notice: $0).text)</p>" }
        let status = figure("status")
        return HTML(
            markup: """
                <h1>Receipts against entitlements</h1>
                <p>Run \(figure("run_id").text), judged as of \
                \(figure("as_of").text): the \
                \(run.makesHistory ? "night" : "run") is \
                <strong class="\(summary.status.rawValue)">\(status.text)</strong>, with \
                \(figure("findings", "total").text) \
                findings\(events)\(sinceLastNight).</p>
                \(notices.joined(separator: "\n"))
                """)
    }

    private func sourced(notice: String) -> HTML {
        for (index, held) in summary.implausible.enumerated()
        where notice == held.sentence {
            return figure("implausible", String(index), "reason")
                + HTML(markup: held.flag.map { " (<code>\(HTML.escaped($0))</code>)" } ?? "")
        }
        let unverified = summary.receipts[.unverified].grouped
        guard summary.status == .incomplete, notice.hasPrefix(unverified + " ") else {
            return HTML(notice)
        }
        return figure("controls", "receipts", "unverified")
            + HTML(String(notice.dropFirst(unverified.count)))
    }

    private var sinceLastNight: String {
        guard let change = outline.row(["change", "findings"]) else { return "" }
        let others = summary.findings.events > 0 ? "; without those, " : ", "
        guard change.count != 0 else { return others + "as many as the night before" }
        return others + HTML.figure(signed(change.count.grouped), "change", "findings").text
            + " since the night before"
    }

    private var events: String {
        guard summary.findings.events > 0 else { return "" }
        return ", of which \(figure("findings", "events").text) are events, told once"
    }

    func signed(_ number: String) -> String {
        if number.hasPrefix("-") { return "−" + number.dropFirst() }
        return number.hasPrefix("−") || number.allSatisfy { "0.,".contains($0) }
            ? number : "+" + number
    }

    // MARK: What was found

    private var kinds: HTML {
        let groups: [(String, Direction)] = [
            ("Leak: the business loses", .leak), ("Owed: the customer loses", .owed),
            ("Information", .none),
        ]
        let tables = groups.compactMap { caption, direction -> String? in
            let rows = outline.kinds.filter { self.direction(of: $0) == direction }.map(row)
            guard !rows.isEmpty else { return nil }
            let names = ["total"] + Lifecycle.allCases.map(\.rawValue) + ["cleared", "severity"]
            let header = [HTML.Cell("kind")] + names.map { .number(HTML($0)) }
            return HTML.table(caption, header, rows + [together(direction)]).text
        }
        guard !tables.isEmpty else {
            return HTML(
                markup: "<h2>What was found</h2>\n<p>\(HTML.escaped(summary.nothingFound))</p>")
        }
        return HTML(
            markup: "<h2>What was found</h2>\n" + tables.joined(separator: "\n")
                + "<p>A finding is <em>new</em>, <em>persisting</em> from an earlier night, or"
                + " <em>reopened</em>; one that an operator <em>accepted</em> carries no money."
                + partly + "</p>"
        )
    }

    /// Said where a row is not of one direction alone.
    private var partly: String {
        let isPartly = outline.kinds.contains { counts in
            let kind = counts.kind
            guard let lesser = kind.lesserWeight, lesser.direction != kind.direction else {
                return false
            }
            return counts.severities[kind.severity] != nil
                && counts.severities[lesser.severity] != nil
        }
        return isPartly
            ? " A row with two severities is a leak in its critical findings only, which together"
                + " counts." : ""
    }

    /// All findings of a direction, of which a row may have a part only.
    private func together(_ direction: Direction) -> [HTML.Cell] {
        let columns = Lifecycle.allCases.count + 2
        let total = figure("findings", "by_direction", direction.rawValue)
        return [HTML.Cell("together"), .number(total)]
            + Array(repeating: .number(HTML("")), count: columns)
    }

    private func row(of counts: SummaryOutline.KindCounts) -> [HTML.Cell] {
        let kind = counts.kind
        func cell(_ count: Int, _ path: String...) -> HTML.Cell {
            count > 0 ? .number(figure(path)) : .dash
        }
        let file = kind.file.rawValue
        let name = HTML(
            markup: "<a href=\"\(file).csv\">\(HTML.escaped(kind.title))</a>"
                + "<br><code>\(HTML.escaped(kind.rawValue))</code>")
        let lifecycles = counts.lifecycles.map { row in
            cell(row.count, "findings", "lifecycle_by_kind", kind.rawValue, row.name)
        }
        return [HTML.Cell(name), cell(counts.total, "findings", "by_kind", kind.rawValue)]
            + lifecycles
            + [
                cell(counts.cleared, "cleared_by_kind", kind.rawValue),
                .number(severity(of: counts)),
            ]
    }

    /// The direction of the kind's most severe rows. A few kinds are a leak only at their highest
    /// severity, and information below it.
    private func direction(of counts: SummaryOutline.KindCounts) -> Direction {
        let kind = counts.kind
        guard let lesser = kind.lesserWeight, !counts.severities.isEmpty,
            counts.severities[kind.severity] == nil
        else { return kind.direction }
        return lesser.direction
    }

    /// The severity, with the number of rows where a kind has several.
    private func severity(of counts: SummaryOutline.KindCounts) -> HTML {
        let kind = counts.kind.rawValue
        let severities = Severity.allCases.filter { counts.severities[$0] != nil }
        let parts = severities.map { severity -> String in
            let name = severity.rawValue
            let count = figure("findings", "severity_by_kind", kind, name)
            let number = severities.count > 1 ? count.text + " " : ""
            return "<span class=\"\(name)\">\(number)\(name)</span>"
        }
        let name = counts.kind.severity.rawValue
        return HTML(
            markup: parts.isEmpty
                ? "<span class=\"\(name)\">\(name)</span>" : parts.joined(separator: "<br>"))
    }

    // MARK: Figures

    /// The number or text at a path of `summary.json`, with its source.
    func figure(_ path: String...) -> HTML { figure(path) }

    func figure(_ path: [String]) -> HTML {
        HTML.figure(outline.row(path)?.value.shown ?? "", path)
    }
}

extension SummaryOutline.Value {
    fileprivate var shown: String? {
        switch self {
        case .text(let text): text
        case .count(let count): count.grouped
        case .instant(let instant): instant?.description
        case .amount(let money): money.grouped
        case .none, .texts, .truth, .rows, .sum, .list: nil
        }
    }
}
