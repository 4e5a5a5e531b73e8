extension SummaryPage {
    private static let mostBars = 10
    private static let mostCurrencies = 6

    var charts: HTML {
        let leaks = leak(by: .kind, "kind") + leak(by: .product, "product")
        let heading =
            leaks.isEmpty
            ? ""
            : "<h2>What leaks</h2>\n"
                + Chart.shades(Age.allCases.map(\.title)).text
        let parts = [eventDays, trend, HTML(markup: heading)] + leaks + [omittedCurrencies]
        return HTML(markup: parts.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    // MARK: By day

    private var eventDays: HTML {
        let days = summary.facts.eventDays
        let title = "Refunds and expirations by day"
        guard !days.isEmpty else {
            return HTML(
                markup: "<h2>\(title)</h2>\n<p>This night tells none.</p>")
        }
        // Days without events are shown too.
        let first = days[0].day
        let labels = Set(days.map(\.day)).union(
            (0..<92).map { first.advanced(byMilliseconds: $0 * 86_400_000) }.filter {
                $0 <= days[days.count - 1].day
            }
        ).sorted()
        let byDay = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0) })
        let series = [\Summary.EventDay.refunds, \Summary.EventDay.expirations].map { count in
            labels.map { Double(byDay[$0]?[keyPath: count] ?? 0) }
        }
        let rows = days.indices.map { index -> [HTML.Cell] in
            let path = ["event_days", String(index)]
            return [
                HTML.Cell(figure(path + ["day"])),
                .number(figure(path + ["refunds"])),
                .number(figure(path + ["expirations"])),
            ]
        }
        let table = HTML.table(
            title, [HTML.Cell("day"), .number(HTML("refunds")), .number(HTML("expirations"))], rows)
        return HTML(
            markup: "<h2>\(title)</h2>\n"
                + Chart.columns(title, labels.map(\.dayText), series) { Int($0).grouped }.text
                + Chart.legend(["refunds", "expirations"], highest: highest(days)).text
                + "<p>Days in California, as Apple's reports count. An event is told once, so"
                + " after the first night these are the new ones.</p>\n"
                + Chart.figures(table).text)
    }

    private func highest(_ days: [Summary.EventDay]) -> HTML {
        let columns = days.enumerated().flatMap { index, day in
            [(index, "refunds", day.refunds), (index, "expirations", day.expirations)]
        }
        guard let highest = columns.max(by: { $0.2 < $1.2 }) else { return HTML("0") }
        return .figure(highest.2.grouped, ["event_days", String(highest.0), highest.1])
    }

    // MARK: By night

    private struct Point {
        let asOf: Instant
        let findings: Int
        let money: MoneyTally
        /// The JSON path of its figures in `summary.json`.
        let path: [String]

        func leak(in currency: Currency) -> Money? {
            money.amounts(.leak).first { $0.currency == currency }
        }
    }

    private var trend: HTML {
        let earlier = summary.facts.earlierRuns.enumerated().map { index, night in
            Point(
                asOf: night.asOf, findings: night.findings, money: night.money,
                path: ["earlier_nights", String(index)])
        }
        guard !earlier.isEmpty else { return HTML(markup: "") }
        let nights =
            earlier.reversed() + [
                Point(
                    asOf: summary.run.asOf, findings: summary.findings.total, money: summary.money,
                    path: [])
            ]
        let title = "The last nights"
        let labels = nights.map(\.asOf.dayText)
        let currencies = leakCurrencies.prefix(Self.mostCurrencies)
        let charts = currencies.compactMap { currency in chart(of: nights, labels, in: currency) }
        let header =
            [HTML.Cell("night"), .number(HTML("findings"))]
            + currencies.map { .number(HTML("leak, \($0.code)")) }
        let rows = nights.map { night -> [HTML.Cell] in
            let total = night.path.isEmpty ? ["findings", "total"] : night.path + ["findings"]
            return [
                HTML.Cell(.figure(night.asOf.description, night.path + ["as_of"])),
                .number(.figure(night.findings.grouped, total)),
            ]
                + currencies.map { currency in
                    night.leak(in: currency).map {
                        .number(
                            .figure($0.grouped, night.path + ["money", "leak", currency.code]))
                    } ?? .dash
                }
        }
        return HTML(
            markup: "<h2>\(title)</h2>\n"
                + (charts.isEmpty ? "<p>No leak in any of them.</p>\n" : "")
                + charts.joined(separator: "\n")
                + Chart.figures(HTML.table(title, header, rows)).text)
    }

    private func chart(of nights: [Point], _ labels: [String], in currency: Currency) -> String? {
        let leaks = nights.map { $0.leak(in: currency) ?? Money(minorUnits: 0, in: currency) }
        guard let index = leaks.indices.max(by: { leaks[$0].minorUnits < leaks[$1].minorUnits }),
            leaks[index].minorUnits > 0
        else { return nil }
        let highest = HTML.figure(
            leaks[index].grouped, nights[index].path + ["money", "leak", currency.code])
        let name = "Leak in \(currency.code) by night"
        let columns = Chart.columns(name, labels, [leaks.map(\.approximately)]) { value in
            leaks.first { $0.approximately == value }?.grouped ?? ""
        }
        return "<p class=\"chart-title\">\(HTML.escaped(name))</p>\n" + columns.text
            + Chart.legend(["leak, \(currency.code)"], highest: highest).text
    }

    // MARK: What leaks

    /// Currencies with a leak, by the number of findings with an amount: sums of different
    /// currencies cannot be compared.
    private var leakCurrencies: [Currency] {
        let counts = summary.breakdown.counts[.leak] ?? [:]
        let currencies = summary.money.amounts(.leak).filter { $0.minorUnits > 0 }.map(\.currency)
        return currencies.sorted { left, right in
            let leftCount = counts[left] ?? 0
            let rightCount = counts[right] ?? 0
            return leftCount == rightCount ? left < right : leftCount > rightCount
        }
    }

    private var omittedCurrencies: HTML {
        guard leakCurrencies.count > Self.mostCurrencies else { return HTML(markup: "") }
        return HTML(
            markup: "<p>Other currencies are in <a href=\"summary.json\">summary.json</a>, at"
                + " <code>money_by</code>.</p>")
    }

    private func leak(by dimension: MoneyBreakdown.Dimension, _ name: String) -> [HTML] {
        leakCurrencies.prefix(Self.mostCurrencies).map { currency in
            let amounts = summary.breakdown.leaks(by: dimension, in: currency)
            let greatest = amounts.first?.amount.approximately ?? 0
            let rows = amounts.prefix(Self.mostBars).map { key, money -> [HTML.Cell] in
                let path = ["money_by", dimension.rawValue, key, "leak", currency.code]
                let parts = Ageing.ages.map { amount(of: key, by: dimension, $0, in: currency) }
                let aged = parts.map { $0?.approximately ?? 0 }
                let isAged = aged.contains { $0 > 0 }
                return [
                    HTML.Cell(Self.shown(key, as: dimension)),
                    .number(.figure(money.grouped, path)),
                    HTML.Cell(
                        Chart.bar(isAged ? aged : [money.approximately], of: greatest), .drawing),
                ]
                    + zip(Ageing.ages, parts).prefix(Age.allCases.count).map { age, part in
                        let path = agePath(.leak, dimension, key, age) + ["money", currency.code]
                        return part == nil ? .dash : .number(figure(path))
                    }
            }
            let more = amounts.count - rows.count
            let rest =
                more > 0 ? "<p>More are in <a href=\"summary.json\">summary.json</a>.</p>" : ""
            let title = "Leak by \(name), \(currency.code)"
            let header =
                [
                    HTML.Cell(name), .number(HTML(currency.code)),
                    HTML.Cell(HTML("to scale, by age"), .drawing),
                ] + Age.allCases.map { .number(HTML($0.title)) }
            return HTML(markup: HTML.table(title, header, rows).text + rest)
        }
    }

    /// Nil without one.
    private func amount(
        of name: String, by dimension: MoneyBreakdown.Dimension, _ age: Age?, in currency: Currency
    ) -> Money? {
        summary.ageing.part(.leak, by: dimension, name, age).money[currency]
    }
}
