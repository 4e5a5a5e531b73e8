/// The page `index.html` of a tie-out: one file that loads nothing. Every figure names its source
/// (`data-source`), and every text from a report or the database is escaped.
struct TieOutPage {
    let tieOut: TieOut

    private static let mostLines = 200

    init(_ tieOut: TieOut) { self.tieOut = tieOut }

    var bytes: [UInt8] {
        let parts = [
            heading, products, chart(of: .sold), chart(of: .refunded), missingDays, explanation,
            sources,
        ]
        let (first, last) = (tieOut.range.firstText, tieOut.range.lastText)
        let title = "Receipts against Apple's reports, \(first) to \(last)"
        return RangePage.bytes(title, parts)
    }

    // MARK: The sentence

    private var heading: HTML {
        let lines = tieOut.linesOfAllDays
        let tied = HTML.figure(
            lines.count { $0.verdict == .tied }.grouped, ["verdicts", "tied"])
        let reports =
            switch tieOut.reports.kind {
            case .sales: "Apple's daily sales reports, which are estimates"
            case .financialDetail:
                "Apple's financial detail reports, by the day of each transaction"
            }
        let within = HTML.figure(tieOut.scope.tolerance.text, ["within"])
        return HTML(
            markup: """
                <p><strong>\(HTML.escaped(tieOut.sentence))</strong></p>
                <p>From \(HTML.figure(tieOut.range.firstText, ["from"]).text) to \
                \(HTML.figure(tieOut.range.lastText, ["to"]).text), days in California. Compared \
                with \(reports). \(tied.text) of \(lines.count.grouped) lines are tied within \
                \(within.text), or sold one unit apart. Units are counted, not money.</p>
                """)
    }

    // MARK: By product

    private var products: HTML {
        let lines = tieOut.untied + tieOut.linesOfAllDays.filter { $0.verdict == .tied }
        let index = Dictionary(
            uniqueKeysWithValues: tieOut.lines.enumerated().map { ($1.key, $0) })
        let rows = lines.prefix(Self.mostLines).compactMap { line in
            index[line.key].map { cells(of: line, at: $0) }
        }
        let numbers = ["Apple", "ours", "difference", "share", "aside"].map {
            HTML.Cell.number(HTML($0))
        }
        let header = [HTML.Cell("product"), HTML.Cell("measure")] + numbers
        let more =
            lines.count > rows.count
            ? " \((lines.count - rows.count).grouped) more lines are in it." : ""
        return HTML(
            markup: "<h2>By product</h2>\n"
                + HTML.table("All days", header + [HTML.Cell("verdict")], rows).text
                + "<p>The greatest differences first. <em>Ours</em> is what the receipts show;"
                + " <em>share</em> is ours of Apple's; <em>aside</em> is what Apple may count in"
                + " another way: of what is sold, our free trials, and beside the refunds our"
                + " upgrades, which are not in ours. Each day is in"
                + " <a href=\"tie_out.csv\">tie_out.csv</a>.\(more)</p>")
    }

    private func cells(of line: TieOutLine, at index: Int) -> [HTML.Cell] {
        func figure(_ shown: String, _ column: String) -> HTML {
            .figure(shown, from: "tie_out.json", [String(index), column])
        }
        let app = line.key.bundle.map {
            "<br><code>" + figure(HTML.excerpt($0.text), "bundle_id").text + "</code>"
        }
        let product = figure(HTML.excerpt(line.key.product.text), "product_id")
        let units = line.units
        return [
            HTML.Cell(HTML(markup: product.text + (app ?? ""))),
            HTML.Cell(figure(line.key.measure.rawValue, "measure")),
            .number(figure(units.apple.grouped, "apple")),
            .number(figure(units.ours.grouped, "ours")),
            .number(figure(units.difference.signed, "difference")),
            .number(figure(line.share?.text ?? "–", "share")),
            .number(figure(units.aside.grouped, "aside")),
            HTML.Cell(HTML(line.verdict.words)),
        ]
    }

    // MARK: What is missing, and what may differ

    private var missingDays: HTML {
        let lists = [
            ("In no file of Apple's", tieOut.missingInReports),
            ("In no published run", tieOut.missingInRuns),
        ].filter { !$0.1.isEmpty }.map { title, days in
            "<li>\(title): \(HTML.escaped(Self.ranges(days).joined(separator: ", ")))</li>"
        }
        guard !lists.isEmpty else {
            return HTML(markup: "<h2>Missing days</h2>\n<p>None: both have every day.</p>")
        }
        return HTML(
            markup: "<h2>Missing days</h2>\n<p>These days are compared with nothing, and in no"
                + " figure above:</p>\n<ul>\(lists.joined(separator: "\n"))</ul>")
    }

    /// Days in a row as `2026-11-06 to 2026-11-08`.
    static func ranges(_ days: [Instant]) -> [String] {
        var ranges: [(first: Instant, last: Instant)] = []
        for day in days {
            let before = day.advanced(byMilliseconds: -Instant.millisecondsPerDay)
            if let last = ranges.last?.last, last == before {
                ranges[ranges.count - 1].last = day
            } else {
                ranges.append((day, day))
            }
        }
        return ranges.map { first, last in
            first == last ? first.dayText : "\(first.dayText) to \(last.dayText)"
        }
    }

    private var explanation: HTML {
        let causes = [
            "<b>No receipt.</b> Apple has more: a customer whose receipt is not stored, or whose"
                + " receipt could not be checked in the run (its <code>unverified.csv</code>); of"
                + " refunds, one that the service never learned of.",
            "<b>Trials.</b> A free trial is a purchase in a receipt, and in ours. Apple may leave"
                + " it out: compare <em>aside</em>.",
            "<b>Upgrades.</b> Apple pays the rest of a period back to a customer who changes to a"
                + " higher level. It is no refund here: compare <em>aside</em>.",
            "<b>Reversed refunds.</b> A refund that Apple has reversed is none in ours. A period"
                + " counts it, and says what was reversed beside it.",
            "<b>What verifyReceipt leaves out.</b> Without the App Store Server API ours lacks"
                + " finished consumables, their refunds, and refunds of a part of a price.",
            "<b>Midnight.</b> Apple may count what happened about midnight on the day before or"
                + " after. Such a day is <code>shifted</code> in tie_out.csv.",
            "<b>Apple's corrections.</b> Sales reports are estimates and are corrected later;"
                + " financial reports follow when Apple settles.",
        ]
        return HTML(
            markup: "<h2>What a difference can be</h2>\n<ul>\n"
                + causes.map { "<li>\($0)</li>" }.joined(separator: "\n") + "\n</ul>")
    }
}

extension TieOutLine.Verdict {
    var words: String {
        switch self {
        case .tied: "tied"
        case .shifted: "shifted"
        case .appleHasMore: "Apple has more"
        case .oursHasMore: "ours has more"
        }
    }
}

extension Int {
    /// `+1,234` or `−1,234`; `0`.
    var signed: String { self > 0 ? "+" + grouped : grouped.replacing("-", with: "−") }
}
