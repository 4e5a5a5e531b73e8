import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The page of a night")
struct NightPageTests {
    private let reports: TemporaryFolder

    init() throws { reports = try TemporaryFolder() }

    /// Publishes these rows, and returns the page.
    private func page(
        _ summary: RunSummary, _ rows: [ReportedFinding] = []
    ) async throws -> String {
        let folder = try ReportFolder(reports: reports.path, run: summary.run)
        try await folder.fill(
            Dictionary(grouping: rows) { $0.finding.kind.file },
            unverified: Array(repeating: .sample(), count: summary.receipts.unverified))
        var summary = summary
        summary.findings = FindingTally()
        for row in rows {
            summary.findings.add(row.finding.kind, row.finding.severity, row.lifecycle)
            try summary.money.add(row)
            guard let bucket = row.finding.moneyBucket,
                let currency = row.currency.flatMap(Currency.init),
                let money = row.estimatedAmount.flatMap({ Money($0, in: currency) })
            else { continue }
            summary.breakdown.count(1, in: currency, of: bucket)
            let product = row.finding.productApple?.text ?? ""
            try summary.breakdown.add(money, to: bucket, of: product, by: .product)
            try summary.breakdown.add(money, to: bucket, of: row.finding.kind.rawValue, by: .kind)
        }
        _ = try await folder.publish(summary, codeVersion: "0.1.0", fence: {})
        return try reports.read("\(summary.run.folderName)/index.html")
    }

    /// A night with something of everything, and rows with strange values.
    private func full() throws -> (RunSummary, [ReportedFinding]) {
        let hostile = "a/b~c<\"'&>\u{202E}"
        var rows = (0..<30).map { number in
            var row = ReportedFinding.sample(user: UserID("user-\(number)"))
            (row.estimatedAmount, row.currency) = ("\(1_000 + number).50", "USD")
            row.finding.productApple = number < 4 ? ProductID(hostile) : "p"
            return row
        }
        var other = ReportedFinding.sample(.refundedStillGranted, user: UserID(hostile))
        (other.estimatedAmount, other.currency) = ("7.00", "USD")
        var refund = ReportedFinding.sample(.refundRecorded, user: "event")
        (refund.estimatedAmount, refund.currency) = ("990", "JPY")
        rows += [other, refund]
        var summary = RunSummary.sample(status: .incomplete, unverified: 4)
        summary.unverifiedByCause = ["http_status": 4]
        summary.breakdown.count(2, without: .noPrice, in: .leak)
        summary.facts.clearedByKind = [.refundedStillGranted: 3]
        summary.acceptances = [
            AcceptedFinding(
                id: "f", kind: .expiredStillGranted, user: UserID(hostile), by: "ada", why: hostile,
                until: nil)
        ]
        var earlier = MoneyTally()
        let dollar = try #require(Currency("USD"))
        try earlier.add(Money(minorUnits: 99_999_999, in: dollar), to: .leak)
        summary.facts.earlierNights = (1...3).map {
            EarlierNight(
                run: RunID(text: "2026111\($0)T020000Z-000001"),
                asOf: summary.run.asOf - .seconds($0 * 86_400), status: .complete,
                findings: 7_000 * $0, money: earlier)
        }
        summary.facts.eventDays = [0, 5].map {
            EventDay(
                day: summary.run.asOf.day - .seconds((9 - $0) * 86_400), refunds: 1_234 + $0,
                expirations: 2)
        }
        return (summary, rows)
    }

    @Test("names the place of every figure, which has that value")
    func sources() async throws {
        let (summary, rows) = try full()
        let page = try await page(summary, rows)
        let figures = page.matches(of: #/data-source="([^"]+)">([^<]*)</#)
        #expect(figures.count > 75)
        var documents: [String: Any] = [:]
        for figure in figures {
            let parts = figure.1.split(separator: "#", maxSplits: 1).map(String.init)
            if documents[parts[0]] == nil {
                let url = URL(fileURLWithPath: "\(reports.path)/latest/\(parts[0])")
                documents[parts[0]] = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
            }
            let value = documents[parts[0]].flatMap {
                resolve(parts[1].removingPercentEncoding ?? "", in: $0)
            }
            let shown = unescaped(figure.2).replacing("−", with: "-").replacing("+", with: "")
            let plain = shown.replacing(",", with: "")
            let stored = value.map { "\($0)".replacing("\u{202E}", with: "\u{FFFD}") }
            #expect(stored == shown || stored == plain, "\(figure.0)")
        }
        // No figure stands there without its place: what is left has no digits, but for names.
        let rest = page.replacing(
            #/<style>(?s:.*?)</style>|<svg(?s:.*?)</svg>|<[^>]*>/#, with: "\n")
        let sourced = Set(figures.map { unescaped($0.2) })
        for line in rest.split(separator: "\n").map({ unescaped($0) }) {
            let number = line.firstMatch(of: #/^[−+-]?[0-9][0-9,.]*$/#)
            #expect(number == nil || sourced.contains(line), "\(line)")
        }
    }

    private func unescaped(_ text: Substring) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    /// By RFC 6901.
    private func resolve(_ pointer: String, in document: Any) -> Any? {
        var value: Any? = document
        for part in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let key = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
            if let array = value as? [Any] {
                value = Int(key).flatMap { array.indices.contains($0) ? array[$0] : nil }
            } else {
                let object = value as? [String: Any]
                value = object?[key]
            }
        }
        return value
    }

    @Test("has the most costly findings, at most ten, and three of a kind")
    func costliest() async throws {
        let (summary, rows) = try full()
        let page = try await page(summary, rows)
        let shown = page.matches(of: #/user_id">(user-[0-9]+|event|a[^<]*)</#).map(\.1)
        #expect(
            shown == [
                "user-29", "user-28", "user-27", "a/b~c&lt;&quot;&#39;&amp;&gt;\u{FFFD}", "event",
                shown.last,
            ])
        #expect(page.contains("Refunded, still granted"))
    }

    @Test("shows the change since the night before, and what has no estimate and why")
    func money() async throws {
        let (summary, rows) = try full()
        let page = try await page(summary, rows)
        for text in [
            ">30,457.00</span> USD", ">−969,542.99</span> since the night before", ">2</span> more",
            "no usable price", ">−6,968</span> since the night before", "The last nights",
            "Refunds and expirations by day", "Leak by kind, USD", "Leak by product, USD",
            "controls/receipts/unverified\">4</span> receipts could not be checked",
            "<th scope=\"row\">http status</th>",
        ] { #expect(page.contains(text), "\(text)") }
    }

    @Test("loads nothing and runs nothing, and lets no stored text out of its cell")
    func selfContained() async throws {
        let (summary, rows) = try full()
        let page = try await page(summary, rows)
        for word in ["<script", "<img", "<link", "http://", "https://", "url(", "@import", "<b>"] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("default-src 'none'"))
        #expect(!page.contains("c<\"") && !page.contains("\u{202E}"))
    }

    @Test("groups a kind by the severities of its rows")
    func mixedSeverities() async throws {
        var rows = [ReportedFinding.sample(.receiptNotAuthentic), .sample(.receiptForOtherApp)]
        rows[0].finding.severity = .medium
        rows[0].finding.direction = .none
        rows[1].finding.severity = .critical
        var other = ReportedFinding.sample(.receiptForOtherApp, user: "u2")
        other.finding.severity = .medium
        other.finding.direction = .none
        let page = try await page(.sample(), rows + [other])
        let sections = page.components(separatedBy: "<caption>")
        let leak = try #require(sections.first { $0.hasPrefix("Leak: the business loses") })
        let information = try #require(sections.first { $0.hasPrefix("Information") })
        #expect(!leak.contains("receipt_not_authentic"))
        #expect(information.contains("receipt_not_authentic"))
        #expect(!information.contains(">critical"))
        let source = "findings/severity_by_kind/receipt_for_other_app/critical\">1</span> critical"
        #expect(leak.contains(source) && leak.contains("/medium\">1</span> medium"))
    }

    @Test("shows the currencies with the most findings first, and says where the others are")
    func currencies() async throws {
        var rows: [ReportedFinding] = []
        for (number, code) in ["AUD", "BRL", "CAD", "CHF", "EUR", "GBP", "SEK", "USD"].enumerated()
        {
            for user in 0...number {
                var row = ReportedFinding.sample(user: UserID("\(code)\(user)"))
                row.estimatedAmount = "1.00"
                row.currency = code
                rows.append(row)
            }
        }
        let page = try await page(.sample(), rows)
        #expect(page.contains("Leak by kind, USD") && page.contains("Leak by kind, CAD"))
        #expect(!page.contains("Leak by kind, AUD") && !page.contains("Leak by kind, BRL"))
        #expect(page.contains("<p>Other currencies are in <a href=\"summary.json\">"))
    }

    @Test("cuts stored texts that would fill a screen, and leaves ids whole")
    func longTexts() async throws {
        let id = String(repeating: "0123456789", count: 6)
        let long = String(repeating: "long-", count: 900)
        var rows = [ReportedFinding.sample(user: UserID(long)), .sample(user: UserID(id))]
        for index in rows.indices {
            rows[index].estimatedAmount = "7.00"
            rows[index].currency = "USD"
            rows[index].finding.productApple = ProductID(long)
            rows[index].finding.explanation = long
        }
        let page = try await page(.sample(), rows)
        #expect(page.contains(">\(id)</span>"))
        #expect(page.contains(">\(long.prefix(64))…</span>"))
        #expect(page.contains(">\(long.prefix(600))…</span>"))
        let text = page.replacing(#/<[^>]*>/#, with: "\n")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 601 })
    }

    @Test("says so when there is nothing to say")
    func empty() async throws {
        let scope = RunScope.limited(users: 1)
        let page = try await page(.sample(.sample(scope: scope)))
        #expect(page.contains("This run looked at some users only"))
        #expect(page.contains("Nothing to estimate.") && !page.contains("The most costly"))
        #expect(page.contains("Nothing: Apple and the service agree."))
        #expect(page.contains("None was recorded since the night before."))
        #expect(page.hasSuffix("</html>\n"))
    }
}
