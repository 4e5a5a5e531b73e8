/// The page `index.html`: a night for a person, in one file that loads nothing.
///
/// It shows whether the night is whole, what was found, what it may come to and the gravest rows;
/// all rows are in the tables beside it. Every text that is not ours is escaped.
enum HTMLReport {
    static func page(
        _ summary: RunSummary, top rows: [ReportedFinding], unverified: Int, cleared: Int,
        codeVersion: String
    ) -> [UInt8] {
        let parts = [
            head(summary), whole(summary), money(summary.money),
            kinds(
                summary.findings, unverified: unverified, cleared: cleared,
                left: summary.entitlements.notReported),
            mostSevere(rows, of: summary.findings), accepted(summary.acceptances),
            controls(summary),
            foot(summary, codeVersion: codeVersion),
        ]
        return Array(parts.joined(separator: "\n").utf8)
    }

    private static func head(_ summary: RunSummary) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
        'unsafe-inline'">
        <title>Reconciliation \(HTML.escaped(summary.run.id.text))</title>
        <style>
        body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; \
        padding: 0 1rem; color: #1b1b1b; background: #fff; }
        table { border-collapse: collapse; width: 100%; margin: 0 0 1.5rem; }
        th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; \
        border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }
        td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
        span, th, td.number { white-space: nowrap; }
        .critical { color: #a00000; font-weight: 600; } .high { color: #a04000; }
        .incomplete { background: #fff3cd; padding: .6rem 1rem; }
        small { color: #555; }
        </style>
        </head>
        <body>
        <h1>Receipts against entitlements</h1>
        """
    }

    private static func whole(_ summary: RunSummary) -> String {
        let run = summary.run
        var lines = [
            "<p>Run \(HTML.escaped(run.id.text)), judged as of"
                + " \(HTML.escaped(run.asOf.description)): <strong>\(summary.status.rawValue)"
                + "</strong>.</p>"
        ]
        if summary.status == .incomplete {
            lines.append(
                "<p class=\"incomplete\">\(summary.receipts.unverified.grouped) receipts could not"
                    + " be checked. What is not here may still be wrong.</p>")
        }
        if summary.status == .held {
            lines.append(
                "<p class=\"incomplete\"><strong>\(Run.heldNotice)</strong> Correct what the lines"
                    + " below say and run again; or, if the run is right, make it count:"
                    + " <code>reconcile-job release \(HTML.escaped(run.id.text)) --by WHO --why"
                    + " TEXT</code>.</p>")
        }
        lines += summary.implausible.map {
            "<p class=\"incomplete\">\(HTML.escaped($0.reason)) (\($0.flag))</p>"
        }
        if run.isOffline {
            lines.append("<p class=\"incomplete\"><strong>\(Run.offlineNotice)</strong></p>")
        }
        if !run.scope.isEverything {
            lines.append("<p class=\"incomplete\">\(Run.partialNotice)</p>")
        }
        if let notice = summary.facts.retirement {
            lines.append("<p class=\"incomplete\">\(HTML.escaped(notice.sentence))</p>")
        }
        if run.isTrial { lines.append("<p class=\"incomplete\">\(Run.trialNotice)</p>") }
        return lines.joined(separator: "\n")
    }

    private static func money(_ tally: MoneyTally) -> String {
        let names: [(MoneyTally.Bucket, String)] = [
            (.leak, "Leak: granted and not paid for"), (.owed, "Owed: paid for and not granted"),
            (.refunded, "Refunded: recorded tonight, at list price"),
        ]
        let rows = names.flatMap { bucket, name in
            tally.amounts(bucket).map { [HTML.escaped(name), $0.currency.code, $0.text] }
        }
        let note = "An estimate from list prices and days: Apple's answers carry no price."
        guard !rows.isEmpty else { return "<h2>Money</h2>\n<p>Nothing to estimate.</p>" }
        return "<h2>Money</h2>\n"
            + HTML.table(["", "currency", "amount"], rows, numbers: [2])
            + "\n<p><small>\(note)</small></p>"
    }

    private static func kinds(
        _ tally: FindingTally, unverified: Int, cleared: Int, left: Int
    ) -> String {
        var rows = FindingFile.allCases.flatMap { file in
            FindingKind.allCases.filter { $0.file == file }.compactMap { kind in
                tally.byKind[kind].map { [kind.rawValue, link(file.rawValue), $0.grouped] }
            }
        }
        rows.append(["no longer true since the last run", link("cleared"), cleared.grouped])
        rows.append(
            ["receipts that could not be checked", link("unverified"), unverified.grouped])
        rows.append(
            ["entitlements in no finding and not consistent", link("not_reported"), left.grouped])
        return "<h2>Findings: \(tally.total.grouped)</h2>\n"
            + HTML.table(["kind", "table", "rows"], rows, numbers: [2])
    }

    private static func link(_ file: String) -> String { "<a href=\"\(file).csv\">\(file).csv</a>" }

    private static func mostSevere(_ rows: [ReportedFinding], of tally: FindingTally) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.map { row -> [String] in
            let severity = row.finding.severity.rawValue
            let amount = row.estimatedAmount.map { "\($0) \(row.currency ?? "")" } ?? ""
            return [
                "<span class=\"\(severity)\">\(severity)</span>",
                HTML.escaped(row.finding.kind.rawValue),
                HTML.escaped(row.finding.user?.text ?? ""),
                HTML.escaped(row.finding.explanation), HTML.escaped(amount),
            ]
        }
        let rest =
            "<p>The first \(rows.count.grouped) of \(tally.total.grouped), without events and"
            + " what was accepted; all rows are in the tables above.</p>"
        return "<h2>The gravest</h2>\n"
            + HTML.table(["severity", "kind", "user", "what", "estimate"], lines, numbers: [4])
            + "\n" + rest
    }

    /// Findings that an operator has accepted, with who, why and until when.
    private static func accepted(_ acceptances: [AcceptedFinding]) -> String {
        guard !acceptances.isEmpty else { return "" }
        let shown = acceptances.prefix(100)
        let lines = shown.map { accepted in
            [
                HTML.escaped(accepted.kind?.rawValue ?? ""),
                HTML.escaped(accepted.user?.text ?? ""), HTML.escaped(accepted.by),
                HTML.escaped(accepted.why),
                accepted.until?.description ?? "until further notice",
            ]
        }
        let rest =
            acceptances.count > shown.count
            ? "\n<p>The first \(shown.count) of \(acceptances.count.grouped); all are in"
                + " summary.json.</p>" : ""
        return "<h2>Accepted: \(acceptances.count.grouped)</h2>\n"
            + HTML.table(["kind", "user", "by", "why", "until"], lines, numbers: []) + rest
    }

    private static func controls(_ summary: RunSummary) -> String {
        let receipts = summary.receipts
        let rights = summary.entitlements
        let rows = [
            [
                "receipts", receipts.inScope.grouped,
                "\(receipts.verified.grouped) verified + \(receipts.rejected.grouped) rejected + "
                    + "\(receipts.unusable.grouped) unusable + \(receipts.unverified.grouped)"
                    + " unverified",
            ],
            [
                "entitlements", rights.inScope.grouped,
                "\(rights.consistent.grouped) consistent + \(rights.withFinding.grouped) with a"
                    + " finding + \(rights.settling.grouped) settling + "
                    + "\(rights.unverified.grouped) unverified + \(rights.notJudged.grouped)"
                    + " not judged",
            ],
        ]
        return "<h2>Controls</h2>\n"
            + HTML.table(["", "in scope", "each once"], rows, numbers: [1])
    }

    private static func foot(_ summary: RunSummary, codeVersion: String) -> String {
        """
        <p><small>\(summary.requests.sent.grouped) requests to Apple; rules \(Run.rulesVersion), \
        code \(HTML.escaped(codeVersion)). In numbers: <a href="summary.json">summary.json</a>; \
        digests: <a href="manifest.json">manifest.json</a>.</small></p>
        </body>
        </html>

        """
    }
}

/// The little of HTML that a page of ours needs.
enum HTML {
    /// Text that neither ends its element nor its attribute. Control characters and those that
    /// turn the direction of what follows become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}"..."\u{9F}",
                "\u{200E}"..."\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Cells are HTML already; `numbers` are the columns that are set to the right.
    static func table(_ header: [String], _ rows: [[String]], numbers: Set<Int>) -> String {
        func line(_ cells: [String], _ tag: String) -> String {
            let cells = cells.enumerated().map { index, cell in
                let style = numbers.contains(index) ? " class=\"number\"" : ""
                return "<\(tag)\(style)>\(cell)</\(tag)>"
            }
            return "<tr>" + cells.joined() + "</tr>"
        }
        let lines = [line(header, "th")] + rows.map { line($0, "td") }
        return "<table>\n" + lines.joined(separator: "\n") + "\n</table>"
    }
}
