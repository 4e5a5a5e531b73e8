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
            page.head, page.heading, page.moneyCards, page.charts, page.kinds,
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
                findings\(sinceLastNight).</p>
                \(notices.joined(separator: "\n"))
                """)
    }

    private func sourced(notice: String) -> HTML {
        for (index, held) in summary.implausible.enumerated()
        where notice == held.sentence {
            return figure("implausible", String(index), "reason")
                + HTML(held.flag.map { " (\($0))" } ?? "")
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
        return ", " + HTML.figure(signed(change.count.grouped), "change", "findings").text
            + " since the night before"
    }

    private func signed(_ number: String) -> String {
        if number.hasPrefix("-") { return "−" + number.dropFirst() }
        return number.hasPrefix("−") || number.allSatisfy { "0.,".contains($0) }
            ? number : "+" + number
    }

    // MARK: What it may cost

    private var moneyCards: HTML {
        let cards = MoneyTally.Bucket.allCases.map { bucket in
            "<section class=\"card \(bucket.rawValue)\"><h2>\(HTML.escaped(bucket.title))</h2>\n"
                + amounts(bucket) + withoutAmount(bucket) + "</section>"
        }
        return HTML(
            markup: "<div class=\"cards\">\n\(cards.joined(separator: "\n"))\n</div>\n"
                + "<p><small>Estimates, as of this night, never revenue: at the price that Apple"
                + " recorded of a transaction where an answer of the App Store Server API has one,"
                + " else at the list price. A leak or a debt is in every night's sum until it is"
                + " corrected: do not add nights up. Each refund is in the sum of one night."
                + "</small></p>")
    }

    private func amounts(_ bucket: MoneyTally.Bucket) -> String {
        let lines = outline.rows("money", bucket.rawValue).map { row -> String in
            let path = [bucket.rawValue, row.name]
            let isCounted = outline.row(["money_counts"] + path) != nil
            let counted = isCounted ? figure(["money_counts"] + path).text : "no"
            let moved = outline.row(["change", "money"] + path)?.value.amount
            let change = moved.map { moved in
                ", " + HTML.figure(signed(moved.grouped), ["change", "money"] + path).text
                    + " since the night before"
            }
            return "<p><strong>" + figure(["money"] + path).text
                + " \(row.name)</strong><br>\(counted) findings\(change ?? "")"
                + parts(of: path) + "</p>"
        }
        return lines.isEmpty ? "<p>Nothing to estimate.</p>" : lines.joined(separator: "\n")
    }

    /// What part of a sum is recorded, and what part is at list prices.
    private func parts(of sum: [String]) -> String {
        let parts = AmountBasis.allCases.compactMap { basis -> String? in
            let path = ["money_by", MoneyBreakdown.Dimension.basis.rawValue, basis.rawValue] + sum
            guard outline.row(path) != nil else { return nil }
            return figure(path).text + " " + basis.words
        }
        return parts.isEmpty ? "" : "<br>" + parts.joined(separator: ", ")
    }

    private func withoutAmount(_ bucket: MoneyTally.Bucket) -> String {
        let path = ["money_without_amount", bucket.rawValue]
        let reasons = outline.rows("money_without_amount", bucket.rawValue, "by_reason")
        guard !reasons.isEmpty else { return "" }
        let lines = reasons.map { row in
            let why = Estimate.NoAmount(rawValue: row.name)?.sentence ?? row.label
            let figure = figure(path + ["by_reason", row.name])
            return "<li>\(figure.text): \(HTML.escaped(why))</li>"
        }
        let total = figure(path + ["findings"])
        return "<p>\(total.text) more without an estimate:</p><ul>\(lines.joined())</ul>"
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
            return HTML.table(caption, header, rows).text
        }
        guard !tables.isEmpty else {
            return HTML(
                markup: "<h2>What was found</h2>\n<p>Nothing: Apple and the service agree.</p>")
        }
        return HTML(
            markup: "<h2>What was found</h2>\n" + tables.joined(separator: "\n")
                + "<p>A finding is <em>new</em>, <em>persisting</em> from an earlier night, or"
                + " <em>reopened</em>; one that an operator <em>accepted</em> carries no money.</p>"
        )
    }

    private func row(of counts: SummaryOutline.KindCounts) -> [HTML.Cell] {
        let kind = counts.kind
        func cell(_ count: Int, _ path: String...) -> HTML.Cell {
            .number(count > 0 ? figure(path) : HTML(markup: "–"))
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
