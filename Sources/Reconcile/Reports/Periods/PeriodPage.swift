/// The page of a period: what Apple refunded, how leak and debt moved, and refunds by day.
struct PeriodPage {
    private let summary: PeriodSummary
    private let movements: [Movement]

    static func bytes(_ summary: PeriodSummary, _ movements: [Movement]) -> [UInt8] {
        let page = PeriodPage(summary: summary, movements: movements)
        let sentence = "<p><strong>\(HTML.escaped(PeriodText.sentence(summary)))</strong></p>"
        return RangePage.bytes(
            summary.period.title,
            [
                HTML(markup: sentence), page.runs, page.money, page.findings, page.chart,
                page.refunds, page.others, page.files,
            ])
    }

    private var runs: HTML {
        let open =
            summary.isOpen
            ? "<p class=\"notice\">The period is still open: no run is as of its end or later."
                + " Refunds of its days may still be told.</p>\n" : ""
        let reservations = PeriodText.reservations(summary).map {
            "<p class=\"notice\">\($0)</p>\n"
        }.joined()
        let instants = summary.period.days.instants
        let start = figure(instants.lowerBound.description, "period", "starts_at")
        let end = figure(instants.upperBound.description, "period", "ends_at")
        let nights = summary.runs.count == 1 ? "one run" : "\(summary.runs.count.grouped) runs"
        var opening = "It opens with nothing."
        if let standing = summary.opening {
            opening = "It opens with what stood after run \(named(standing, "opening"))."
        }
        let closing =
            "It adds up \(nights) and closes with run"
            + " \(named(summary.closing, "closing"))."
        return HTML(
            markup: "\(open)\(reservations)<p>Days are those of California, by which Apple reports:"
                + " from \(start) to before \(end). \(opening) \(closing)</p>")
    }

    private func named(_ standing: PeriodSummary.Standing, _ name: String) -> String {
        let run = figure(standing.run.text, name, "run_id")
        return "\(run), as of \(figure(standing.asOf.description, name, "as_of"))"
    }

    // MARK: Roll-forward

    private var money: HTML {
        let lines = [Direction.leak, .owed].flatMap { direction in
            Set(
                movements.filter { $0.line.direction == direction }.compactMap(\.line.currency)
            ).sorted().map { (direction, $0) }
        }
        let heading = "<h2>Roll-forward</h2>\n"
        guard !lines.isEmpty else {
            return HTML(markup: heading + "<p>Nothing with an estimate stood.</p>")
        }
        let rows = lines.map { direction, currency -> [HTML.Cell] in
            let own = movements.filter {
                $0.line.direction == direction && $0.line.currency == currency
            }
            return [HTML.Cell("\(direction.title), \(currency.code)")]
                + Movement.Flow.allCases.map { flow in
                    let sum = own.compactMap { $0.amount(flow)?.minorUnits }.reduce(0, +)
                    let money = Money(minorUnits: sum, in: currency)
                    return sum == 0 ? .dash : .number(HTML(signed(flow) + money.grouped))
                }
        }
        return HTML(
            markup: heading
                + HTML.table(
                    "Estimated money that stood, entered and left",
                    [HTML.Cell("what")] + Movement.Flow.allCases.map(header), rows
                ).text
                + "<p><small>Opening + new + reopened − cleared + moved + revalued = closing, in"
                + " every line of movements.csv. New: first seen in the period. Moved: from line to"
                + " line, such as to accepted. Revalued: what the amounts changed by, mostly with"
                + " the days, and where the cause is another one, such as the next period. Not"
                + " judged: part of closing that the closing run could not judge, as it was last"
                + " told. Estimates, never revenue.</small></p>")
    }

    private func header(_ flow: Movement.Flow) -> HTML.Cell { .number(HTML(flow.title)) }

    private func signed(_ flow: Movement.Flow) -> String { flow == .cleared ? "−" : "" }

    private func signed(_ flow: Movement.Flow, _ count: Int) -> String {
        (count < 0 ? "−" : signed(flow)) + Int(count.magnitude).grouped
    }

    private var findings: HTML {
        let kinds = Dictionary(grouping: movements) {
            Kind(direction: $0.line.direction, kind: $0.line.kind)
        }
        let rows = kinds.sorted { $0.key.order < $1.key.order }.map { kind, lines in
            [name(of: kind)]
                + Movement.Flow.counted.map { flow -> HTML.Cell in
                    let count = lines.reduce(0) { $0 + $1.count(flow) }
                    return count == 0 ? .dash : .number(HTML(signed(flow, count)))
                } + [closingMoney(of: lines)]
        }
        guard !rows.isEmpty else { return HTML(markup: "<p>No finding stood.</p>") }
        let table = HTML.table(
            "Findings that stood, entered and left",
            [HTML.Cell("kind")] + Movement.Flow.counted.map(header) + [.number(HTML("estimated"))],
            rows)
        return HTML(
            markup: table.text
                + "<p><small>Estimated: the amounts of closing. Accepted findings are counted too;"
                + " they carry no amount.</small></p>")
    }

    private func name(of kind: Kind) -> HTML.Cell {
        let title = HTML.escaped(kind.kind.title)
        return HTML.Cell(HTML(markup: "\(title)<br><small>\(kind.direction.title)</small>"))
    }

    private func closingMoney(of lines: [Movement]) -> HTML.Cell {
        var sums: [Currency: Int128] = [:]
        for money in lines.compactMap({ $0.amount(.closing) }) {
            sums[money.currency, default: 0] += money.minorUnits
        }
        let amounts = sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }
            .map { Money(minorUnits: $0.value, in: $0.key) }
        return amounts.isEmpty ? .dash : .number(HTML(PeriodText.listed(amounts)))
    }

    private struct Kind: Hashable {
        let direction: Direction
        let kind: FindingKind

        var order: String { "\(direction == .none ? "z" : direction.rawValue) \(kind.rawValue)" }
    }

    // MARK: Refunds

    private var chart: HTML {
        let days = summary.period.days
        let unit = days.count <= Self.mostDays ? "day" : "month"
        let title = "Refunds by \(unit)"
        let heading = "<h2>\(title)</h2>\n"
        let columns =
            unit == "day"
            ? days.all.map { ($0.dayText, summary.events.refundsByDay[$0] ?? 0) } : byMonth
        guard let most = columns.map(\.1).max(), most > 0 else {
            return HTML(
                markup: heading + Chart.empty(title, columns.map(\.0)).text
                    + "<p>Apple refunded nothing.</p>")
        }
        let chart = Chart.columns(title, columns.map(\.0), [columns.map { Double($0.1) }]) {
            Int($0).grouped
        }
        let rows = columns.filter { $0.1 > 0 }.map { name, count in
            [HTML.Cell(name), .number(HTML(count.grouped))]
        }
        return HTML(
            markup: heading + chart.text
                + Chart.legend(["refunds"], highest: HTML(most.grouped)).text
                + Chart.figures(
                    HTML.table(title, [HTML.Cell(unit), .number(HTML("refunds"))], rows)
                ).text)
    }

    /// A chart of more days would have columns that nobody can tell apart.
    private static let mostDays = 366

    private var byMonth: [(String, Int)] {
        var counts: [CalendarMonth: Int] = [:]
        for (day, count) in summary.events.refundsByDay {
            counts[CalendarMonth(of: day), default: 0] += count
        }
        return summary.period.days.months.map { ($0.text, counts[$0] ?? 0) }
    }

    private var refunds: HTML {
        let refunds = summary.events.refunds.sorted { $0.key < $1.key }
        guard !refunds.isEmpty else { return HTML("") }
        let names = [
            "refunds", "amount", "reversed", "reversed amount", "net", "net amount",
        ]
        let rows = refunds.enumerated().map { index, line -> [HTML.Cell] in
            let (group, refunds) = line
            func count(_ number: Int, _ column: String) -> HTML.Cell {
                .number(HTML.figure(number.grouped, ["refunds", String(index), column]))
            }
            func amount(_ minorUnits: Int128, _ column: String) -> HTML.Cell {
                guard let currency = group.currency else { return .dash }
                let money = Money(minorUnits: minorUnits, in: currency)
                return .number(
                    HTML.figure(money.grouped, ["refunds", String(index), column]))
            }
            return [
                HTML.Cell(RangePage.named(group.product?.text)),
                HTML.Cell(RangePage.named(group.app?.text)),
                HTML.Cell(group.currency?.code ?? "none"),
                count(refunds.count, "count"), amount(refunds.amount, "amount"),
                count(refunds.reversedCount, "reversed_count"),
                amount(refunds.reversedAmount, "reversed_amount"),
                count(refunds.count - refunds.reversedCount, "net_count"),
                amount(refunds.amount - refunds.reversedAmount, "net_amount"),
            ]
        }
        return HTML(
            markup: HTML.table(
                "Refunds by app, product and currency",
                ["product", "app", "currency"].map { HTML.Cell($0) }
                    + names.map { .number(HTML($0)) }, rows
            ).text + reasons("Refunds without an amount, and why", without))
    }

    private var without: [(String, Int)] {
        summary.events.withoutAmount.sorted { $0.key < $1.key }.map { why, count in
            (Estimate.NoAmount(rawValue: why)?.sentence ?? why, count)
        }
    }

    private func reasons(_ title: String, _ counts: [(String, Int)]) -> String {
        guard !counts.isEmpty else { return "" }
        let rows = counts.map { [HTML.Cell($0), .number(HTML($1.grouped))] }
        return "\n"
            + HTML.table(title, [HTML.Cell("reason"), .number(HTML("count"))], rows).text
    }

    private var others: HTML {
        let events = summary.events
        let families = figure(events.familyRevocations.grouped, "family_revocations")
        let expired = events.expirations.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return HTML(
            markup: "<h2>Other events</h2>\n<p>Family sharing was withdrawn \(families)"
                + " \(events.familyRevocations == 1 ? "time" : "times").</p>"
                + reasons("Expirations, by reason", expired))
    }

    private var files: HTML {
        HTML(
            markup: "<h2>Files</h2>\n<p><code>refunds.csv</code> and"
                + " <code>expirations.csv</code> have a row for each event, with the run that told"
                + " it; <code>movements.csv</code> has the roll-forward, line by line;"
                + " <code>report.xlsx</code> adds them up by formulas. <code>reconcile-job"
                + " verify</code> proves that the files belong together.</p>")
    }

    private func figure(_ text: String, _ path: String...) -> String {
        HTML.figure(text, path).text
    }
}

extension Chart {
    /// The axis of a bar chart over days or months without a bar.
    fileprivate static func empty(_ title: String, _ labels: [String]) -> HTML {
        let first = labels.first ?? ""
        let last = labels.last ?? ""
        return HTML(
            markup: "<div class=\"chart\"><svg class=\"columns\" height=\"40\" role=\"img\""
                + " aria-label=\"\(HTML.escaped(title)), from \(first) to \(last): none\">"
                + "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"10.5\" y2=\"10.5\"/>"
                + "<text x=\"0\" y=\"30\">\(first)</text>"
                + "<text x=\"100%\" y=\"30\" text-anchor=\"end\">\(last)</text></svg></div>\n")
    }
}
