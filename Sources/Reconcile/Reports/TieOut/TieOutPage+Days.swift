extension TieOutPage {
    /// Apple's units and ours of each compared day, all products together.
    func chart(of measure: UnitMeasure) -> HTML {
        let days = tieOut.days
        let sums = tieOut.unitsByDay(measure)
        let series = [\TieOutLine.Units.apple, \TieOutLine.Units.ours].map { units in
            days.map { Double(sums[$0]?[keyPath: units] ?? 0) }
        }
        let title = "\(measure == .sold ? "Sold" : "Refunded") by day"
        let highest = series.joined().max() ?? 0
        guard highest > 0 else {
            return HTML(markup: "<h2>\(title)</h2>\n<p>Nothing, on no day.</p>")
        }
        let rows = days.map { day -> [HTML.Cell] in
            let units = sums[day] ?? TieOutLine.Units()
            return [
                HTML.Cell(day.dayText), .number(HTML(units.apple.grouped)),
                .number(HTML(units.ours.grouped)), .number(HTML(units.difference.signed)),
            ]
        }
        let header =
            [HTML.Cell("day")] + ["Apple", "ours", "difference"].map { .number(HTML($0)) }
        let chart = Chart.columns(title, days.map(\.dayText), series) { Int($0).grouped }
        let legend = Chart.legend(["Apple", "ours"], highest: HTML(Int(highest).grouped))
        return HTML(
            markup: "<h2>\(title)</h2>\n" + chart.text + legend.text
                + Chart.figures(HTML.table(title, header, rows)).text)
    }

    // MARK: What was read

    var sources: HTML {
        let files = zip(tieOut.reports.files, tieOut.countedRows).enumerated()
            .map { index, file -> [HTML.Cell] in
                let path = ["files", String(index)]
                return [
                    HTML.Cell(.figure(file.0.report.name, path + ["name"])),
                    .number(.figure(file.0.report.rows.grouped, path + ["rows"])),
                    .number(.figure(file.1.grouped, path + ["counted"])),
                    HTML.Cell(
                        HTML(
                            markup: "<code>"
                                + HTML.figure(file.0.report.sha256, path + ["sha256"]).text
                                + "</code>")),
                ]
            }
        let runs = tieOut.usedRuns.enumerated().map { index, used -> [HTML.Cell] in
            let path = ["runs", String(index)]
            return [
                HTML.Cell(.figure(used.run.run.text, path + ["run_id"])),
                HTML.Cell(.figure(used.run.asOf.description, path + ["as_of"])),
                HTML.Cell(.figure(used.run.status.rawValue, path + ["status"])),
                .number(.figure(used.days.grouped, path + ["days"])),
            ]
        }
        let ofFiles = [
            HTML.Cell("file"), .number(HTML("rows")), .number(HTML("counted")),
            HTML.Cell("SHA-256"),
        ]
        let ofRuns = [
            HTML.Cell("run"), HTML.Cell("as of"), HTML.Cell("status"), .number(HTML("days")),
        ]
        return HTML(
            markup: "<h2>What was read</h2>\n"
                + HTML.table("Apple's files", ofFiles, files).text
                + HTML.table("Runs whose figures are compared", ofRuns, runs).text
                + "<p>Of identical files the first counts. Rows that do not count are other"
                + " products and days than those compared, restored purchases, and updates.</p>"
                + "<p>Files: <a href=\"tie_out.csv\">tie_out.csv</a>,"
                + " <a href=\"summary.json\">summary.json</a>,"
                + " <a href=\"manifest.json\">manifest.json</a>,"
                + " <a href=\"SHA256SUMS\">SHA256SUMS</a>.</p>")
    }
}
