/// The page `index.html`: one run for a human reader, in one file that loads nothing. Every figure
/// names its source (`data-source`), and every text from the database is escaped.
struct SummaryPage {
    let summary: Summary
    let costliest: CostliestFindings
    let codeVersion: String

    static func bytes(
        _ summary: Summary, costliest: CostliestFindings, codeVersion: String
    ) -> [UInt8] {
        let page = SummaryPage(summary: summary, costliest: costliest, codeVersion: codeVersion)
        let parts = [
            page.head, page.heading, page.moneyCards, page.charts, page.kinds,
            page.costliest.html,
            page.unverified, page.accepted, page.controls, page.judgement,
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
        let status = HTML.figure(summary.status.rawValue, "status")
        return HTML(
            markup: """
                <h1>Receipts against entitlements</h1>
                <p>Run \(HTML.figure(run.id.text, "run_id").text), judged as of \
                \(HTML.figure(run.asOf.description, "as_of").text): the \
                \(run.makesHistory ? "night" : "run") is \
                <strong class="\(summary.status.rawValue)">\(status.text)</strong>, with \
                \(HTML.figure(summary.findings.total.grouped, "findings", "total").text) \
                findings\(sinceLastNight).</p>
                \(notices.joined(separator: "\n"))
                """)
    }

    private func sourced(notice: String) -> HTML {
        for (index, held) in summary.implausible.enumerated()
        where notice == held.sentence {
            return .figure(held.reason, "implausible", String(index), "reason")
                + HTML(held.flag.map { " (\($0))" } ?? "")
        }
        let unverified = summary.receipts[.unverified].grouped
        guard summary.status == .incomplete, notice.hasPrefix(unverified + " ") else {
            return HTML(notice)
        }
        return .figure(unverified, "controls", "receipts", "unverified")
            + HTML(String(notice.dropFirst(unverified.count)))
    }

    private var sinceLastNight: String {
        guard let last = summary.facts.earlierRuns.first else { return "" }
        let change = summary.findings.total - last.findings
        return ", " + HTML.figure(signed(change.grouped), "change", "findings").text
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
                + "<p><small>Estimates from list prices, as of this night: Apple's answers carry no"
                + " price. A leak or a debt is in every night's sum until it is corrected: do not"
                + " add nights up. Each refund is in the sum of one night.</small></p>")
    }

    private func amounts(_ bucket: MoneyTally.Bucket) -> String {
        let change = summary.facts.earlierRuns.first.map { summary.money.subtracting($0.money) }
        let lines = summary.money.amounts(bucket).map { money -> String in
            let code = money.currency.code
            let count = summary.breakdown.counts[bucket]?[money.currency] ?? 0
            let counted =
                count > 0
                ? HTML.figure(count.grouped, "money_counts", bucket.rawValue, code).text : "no"
            let moved = change?.amounts(bucket).first { $0.currency == money.currency }
            let change = moved.map { moved in
                ", "
                    + HTML.figure(
                        signed(moved.grouped), "change", "money", bucket.rawValue, code
                    ).text + " since the night before"
            }
            return "<p><strong>"
                + HTML.figure(money.grouped, "money", bucket.rawValue, code).text
                + " \(code)</strong><br>\(counted) findings\(change ?? "")</p>"
        }
        return lines.isEmpty ? "<p>Nothing to estimate.</p>" : lines.joined(separator: "\n")
    }

    private func withoutAmount(_ bucket: MoneyTally.Bucket) -> String {
        let counts = summary.breakdown.noAmounts[bucket] ?? [:]
        let lines = Estimate.NoAmount.allCases.compactMap { why -> String? in
            guard let count = counts[why], count > 0 else { return nil }
            let figure = HTML.figure(
                count.grouped, "money_without_amount", bucket.rawValue, "by_reason", why.rawValue)
            return "<li>\(figure.text): \(HTML.escaped(why.sentence))</li>"
        }
        guard !lines.isEmpty else { return "" }
        let total = HTML.figure(
            counts.values.reduce(0, +).grouped, "money_without_amount", bucket.rawValue, "findings")
        return "<p>\(total.text) more without an estimate:</p><ul>\(lines.joined())</ul>"
    }

    // MARK: What was found

    private var kinds: HTML {
        let groups: [(String, (FindingKind) -> Bool)] = [
            ("Leak: the business loses", { direction(of: $0) == .leak }),
            ("Owed: the customer loses", { direction(of: $0) == .owed }),
            ("Information", { direction(of: $0) == .none }),
        ]
        let tables = groups.compactMap { caption, belongs -> String? in
            let rows = FindingKind.allCases.filter(belongs).compactMap(row)
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

    private func row(of kind: FindingKind) -> [HTML.Cell]? {
        let cleared = summary.facts.clearedByKind[kind] ?? 0
        let total = summary.findings.byKind[kind] ?? 0
        guard total + cleared > 0 else { return nil }
        func cell(_ count: Int, _ path: String...) -> HTML.Cell {
            .number(count > 0 ? .figure(count.grouped, path) : HTML(markup: "–"))
        }
        let file = kind.file.rawValue
        let name = HTML(
            markup: "<a href=\"\(file).csv\">\(HTML.escaped(kind.title))</a>"
                + "<br><code>\(HTML.escaped(kind.rawValue))</code>")
        let counts = Lifecycle.allCases.map { lifecycle in
            cell(
                summary.findings.lifecycleByKind[kind]?[lifecycle] ?? 0, "findings",
                "lifecycle_by_kind", kind.rawValue, lifecycle.rawValue)
        }
        return [HTML.Cell(name), cell(total, "findings", "by_kind", kind.rawValue)] + counts
            + [
                cell(cleared, "cleared_by_kind", kind.rawValue),
                .number(severity(of: kind)),
            ]
    }

    /// The direction of the kind's most severe rows. A few kinds are a leak only at their highest
    /// severity, and information below it.
    private func direction(of kind: FindingKind) -> Direction {
        let counts = summary.findings.severityByKind[kind] ?? [:]
        guard let lesser = kind.lesserWeight, !counts.isEmpty, counts[kind.severity] == nil
        else { return kind.direction }
        return lesser.direction
    }

    /// The severity, with the number of rows where a kind has several.
    private func severity(of kind: FindingKind) -> HTML {
        let counts = summary.findings.severityByKind[kind] ?? [:]
        let severities = Severity.allCases.filter { counts[$0] != nil }
        let parts = severities.map { severity -> String in
            let name = severity.rawValue
            let count = HTML.figure(
                (counts[severity] ?? 0).grouped, "findings", "severity_by_kind", kind.rawValue, name
            )
            let number = severities.count > 1 ? count.text + " " : ""
            return "<span class=\"\(name)\">\(number)\(name)</span>"
        }
        let name = kind.severity.rawValue
        return HTML(
            markup: parts.isEmpty
                ? "<span class=\"\(name)\">\(name)</span>" : parts.joined(separator: "<br>"))
    }
}
