/// The tables of the page with the most costly findings.
extension CostliestFindings {
    /// Empty when no finding has an amount.
    var html: HTML {
        let tables = MoneyTally.Bucket.allCases.flatMap { bucket in
            most(in: bucket).map { entries in
                let code = entries.first?.amount.currency.code ?? ""
                return HTML.table(
                    "\(bucket.title), the most costly in \(code)",
                    [HTML.Cell("what and why"), .number(HTML(code)), HTML.Cell("user")],
                    entries.map(\.cells), sentences: entries.map(\.sentence)
                ).text
            }
        }
        guard !tables.isEmpty else { return HTML(markup: "") }
        return HTML(
            markup: "<h2>The most costly findings</h2>\n" + tables.joined(separator: "\n")
                + "<p>At most ten of each, and three of a kind; all rows are in"
                + " <a href=\"report.xlsx\">report.xlsx</a> and the CSV files.</p>")
    }
}

extension CostliestFindings.Entry {
    fileprivate var cells: [HTML.Cell] {
        let finding = row.finding
        let what = HTML(
            markup: "\(HTML.escaped(finding.kind.title))<br><code>"
                + figure(row.id, "finding_id").text + "</code>" + source)
        return [
            HTML.Cell(what), .number(figure(amount.grouped, "estimated_amount")),
            HTML.Cell(figure(HTML.excerpt(finding.user?.text ?? ""), "user_id")),
        ]
    }

    /// Named where it is not verifyReceipt.
    private var source: String {
        guard let source = row.finding.source, source != .verifyReceipt else { return "" }
        return "<br>source: " + figure(source.rawValue, "source").text
    }

    fileprivate var sentence: HTML {
        figure(
            HTML.excerpt(row.finding.explanation, most: HTML.longestSentence), "explanation")
    }

    private func figure(_ text: String, _ column: String) -> HTML {
        .figure(text, from: file.rawValue + ".json", String(index), column)
    }
}
