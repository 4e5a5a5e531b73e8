extension SummaryPage {
    var unverified: HTML {
        let causes = summary.unverifiedByCause.sorted { $0.key < $1.key }.filter { $0.value > 0 }
        guard !causes.isEmpty else { return HTML(markup: "") }
        let rows = causes.map { cause, count -> [HTML.Cell] in
            [
                HTML.Cell(cause.replacing("_", with: " ")),
                .number(.figure(count.grouped, "unverified_by_cause", cause)),
            ]
        }
        return HTML(
            markup: "<h2>What could not be checked</h2>\n"
                + HTML.table(
                    "Receipts, by cause", [HTML.Cell("cause"), .number(HTML("receipts"))], rows
                )
                .text + "<p>Nothing is said against these customers:"
                + " <a href=\"unverified.csv\">unverified.csv</a>.</p>")
    }

    var accepted: HTML {
        let acceptances = summary.acceptances
        guard !acceptances.isEmpty else { return HTML(markup: "") }
        let rows = acceptances.prefix(100).enumerated().map { index, accepted -> [HTML.Cell] in
            let path = ["accepted", String(index)]
            return [
                HTML.Cell(accepted.kind?.title ?? ""),
                HTML.Cell(.figure(HTML.excerpt(accepted.user?.text ?? ""), path + ["user_id"])),
                HTML.Cell(.figure(HTML.excerpt(accepted.by), path + ["by"])),
                HTML.Cell(
                    .figure(
                        HTML.excerpt(accepted.why, most: HTML.longestSentence), path + ["why"])),
                HTML.Cell(
                    accepted.until.map { .figure($0.description, path + ["until"]) }
                        ?? HTML("until further notice")),
            ]
        }
        let more = acceptances.count - rows.count
        let header = ["kind", "user", "by", "why", "until"].map { HTML.Cell($0) }
        return HTML(
            markup: "<h2>Accepted</h2>\n" + HTML.table("Findings that are known", header, rows).text
                + (more > 0 ? "<p>\(more.grouped) more in summary.json.</p>" : ""))
    }

    // MARK: Does it tie out?

    var controls: HTML {
        let receipts = summary.receipts
        let rights = summary.entitlements
        let tables =
            [
                control(
                    "receipts", receipts.inScope,
                    [
                        ("verified", receipts[.verified]), ("rejected", receipts[.rejected]),
                        ("unusable", receipts[.unusable]), ("unverified", receipts[.unverified]),
                    ]),
                control(
                    "entitlements", rights.inScope,
                    [
                        ("consistent", rights[.consistent]), ("with_finding", rights[.withFinding]),
                        ("settling", rights[.settling]), ("unverified", rights[.unverified]),
                        ("not_judged", rights[.notJudged]),
                    ]),
            ] + (summary.coverage.map { [table($0)] } ?? [])
        return HTML(
            markup:
                "<h2>Controls</h2>\n<p>Each receipt and each entitlement is counted in one place,"
                + " once; a night in which they do not add up is never published.</p>\n"
                + tables.map(\.text).joined(separator: "\n"))
    }

    private func control(_ name: String, _ total: Int, _ parts: [(String, Int)]) -> HTML {
        let rows = (parts + [("in_scope", total)]).map { part, count -> [HTML.Cell] in
            [
                HTML.Cell(part.replacing("_", with: " ")),
                .number(.figure(count.grouped, "controls", name, part)),
            ]
        }
        return HTML.table(
            name.prefix(1).uppercased() + name.dropFirst(),
            [HTML.Cell("bucket"), .number(HTML("count"))], rows)
    }

    private func table(_ coverage: Coverage) -> HTML {
        let recorded: (Coverage.Count) -> [String] = { count in
            count.name == "users" ? ["users"] : ["controls", count.name, "in_scope"]
        }
        let rows = coverage.counts.map { count -> [HTML.Cell] in
            [
                HTML.Cell(count.name),
                .number(.figure(count.planned.grouped, "controls", "planned", count.name)),
                .number(.figure(count.recorded.grouped, recorded(count))),
                .number(.figure(count.atClose.grouped, "controls", "at_close", count.name)),
                HTML.Cell(count.tiesOut ? "yes" : "NO"),
            ]
        }
        let header =
            [HTML.Cell("counted")]
            + ["when cut", "recorded", "when closed"].map { .number(HTML($0)) }
            + [HTML.Cell("within 10 or 0.1 %")]
        return HTML.table("Compared with the views", header, rows)
    }

    // MARK: How it was judged

    var judgement: HTML {
        let oldest = summary.oldestVerifiedAt.map {
            " The oldest answer is of \(HTML.figure($0.description, "oldest_verified_at").text)."
        }
        let sent = HTML.figure(summary.requests.sent.grouped, "requests", "sent").text
        let rules = HTML.figure(String(summary.rulesVersion), "rules_version").text
        let code = HTML.figure(codeVersion, "code_version").text
        let files = ["report.xlsx", "totals.csv", "summary.json", "manifest.json", "SHA256SUMS"]
            .map { "<a href=\"\($0)\">\($0)</a>" }
        return HTML(
            markup: """
                <h2>How it was judged</h2>
                <p>\(sent) requests to Apple.\(oldest ?? "") Rules \(rules), code \(code). \
                Times are UTC. Every figure of this page names its place in the files beside it \
                (<code>data-source</code>).</p>
                <p>Files: \(files.joined(separator: ", ")).</p>
                </main>
                </body>
                </html>

                """)
    }
}
