extension SummaryPage {
    var unverified: HTML {
        let causes = outline.rows("unverified_by_cause")
        guard !causes.isEmpty else { return HTML(markup: "") }
        let rows = causes.map { cause -> [HTML.Cell] in
            [
                HTML.Cell(cause.name.replacing("_", with: " ")),
                .number(figure("unverified_by_cause", cause.name)),
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

    /// Nothing where one source was asked and no status compared.
    var agreement: HTML {
        let rows = [
            (
                "source_agreement",
                "receipts that verifyReceipt and the App Store Server API verified",
                "Read the rows of <code>sources_disagree</code> in"
                    + " <a href=\"receipts.csv\">receipts.csv</a>: each names a transaction."
            ),
            (
                "status_agreement", "subscriptions with Apple's own status",
                "Report it: the log has each difference, and it may be a defect of the job."
            ),
        ].compactMap { name, compared, remedy in row(of: name, compared, remedy) }
        guard !rows.isEmpty else { return HTML(markup: "") }
        let header =
            [HTML.Cell("compared")] + ["the same", "otherwise"].map { .number(HTML($0)) }
            + [HTML.Cell("what to do")]
        return HTML(
            markup: "<h2>Agreement</h2>\n"
                + HTML.table("What Apple tells twice", header, rows).text)
    }

    private func row(of name: String, _ compared: String, _ remedy: String) -> [HTML.Cell]? {
        let differing = outline.count(name, "differ")
        guard outline.count(name, "agree") + differing > 0 else { return nil }
        return [
            HTML.Cell(compared), .number(figure(name, "agree")), .number(figure(name, "differ")),
            HTML.Cell(HTML(markup: differing > 0 ? remedy : "Nothing.")),
        ]
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
        let tables =
            outline.rows("controls").compactMap(control)
            + (summary.coverage.map { [table($0)] } ?? [])
        return HTML(
            markup:
                "<h2>Controls</h2>\n<p>Each receipt and each entitlement is counted in one place,"
                + " once; a night in which they do not add up is never published.</p>\n"
                + tables.map(\.text).joined(separator: "\n"))
    }

    /// The table of a control; nil for the counts of the views, which are in a table of their own.
    private func control(_ control: SummaryOutline.Row) -> HTML? {
        guard case .sum(let total, let buckets) = control.value else { return nil }
        // The total is the last row.
        let parts = buckets + [.inScope(total)]
        let rows = parts.map { part -> [HTML.Cell] in
            [
                HTML.Cell(part.name.replacing("_", with: " ")),
                .number(figure("controls", control.name, part.name)),
            ]
        }
        return HTML.table(control.label, [HTML.Cell("bucket"), .number(HTML("count"))], rows)
    }

    private func table(_ coverage: Coverage) -> HTML {
        let recorded: (Coverage.Count) -> [String] = { count in
            count.name == "users" ? ["users"] : ["controls", count.name, "in_scope"]
        }
        let rows = coverage.counts.map { count -> [HTML.Cell] in
            [
                HTML.Cell(count.name),
                .number(figure("controls", "planned", count.name)),
                .number(figure(recorded(count))),
                .number(figure("controls", "at_close", count.name)),
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
        let oldest =
            summary.oldestVerifiedAt == nil
            ? "" : " The oldest answer is of \(figure("oldest_verified_at").text)."
        let sent = figure("requests", "sent").text
        let rules = figure("rules_version").text
        let code = figure("code_version").text
        let units = summary.run.units == nil ? [] : ["units.csv"]
        let names =
            ["report.xlsx", "totals.csv"] + units + ["summary.json", "manifest.json", "SHA256SUMS"]
        let files = names.map { "<a href=\"\($0)\">\($0)</a>" }
        return HTML(
            markup: """
                <h2>How it was judged</h2>
                <p>\(sent) requests to Apple.\(oldest) Rules \(rules), code \(code). \
                Times are UTC. Every figure of this page names its place in the files beside it \
                (<code>data-source</code>).</p>
                <p>Files: \(files.joined(separator: ", ")).</p>
                </main>
                </body>
                </html>

                """)
    }
}
