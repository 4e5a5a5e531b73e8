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
        _ summary: RunSummary = .sample(), _ rows: [ReportedFinding] = []
    ) async throws -> String {
        var summary = summary
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
        try await reports.publish(
            summary, Dictionary(grouping: rows) { $0.finding.kind.file },
            unverified: Array(repeating: .sample(), count: summary.receipts.unverified))
        return try reports.read("\(summary.run.folderName)/index.html")
    }

    private func row(
        _ user: String, _ amount: String? = nil, _ currency: String = "USD",
        kind: FindingKind = .expiredStillGranted, product: String? = nil,
        weight: FindingKind.Weight? = nil
    ) -> ReportedFinding {
        var row = ReportedFinding.sample(kind, user: UserID(user))
        (row.estimatedAmount, row.currency) = (amount, amount == nil ? nil : currency)
        row.finding.productApple = product.map { ProductID($0) }
        if let weight {
            (row.finding.severity, row.finding.direction) = (weight.severity, weight.direction)
        }
        return row
    }

    /// The page of a night with something of everything, and rows with strange values.
    private func fullPage() async throws -> String {
        let hostile = "a/b~c<\"'&>\u{202E}"
        let rows =
            (0..<30).map { number in
                row("user-\(number)", "\(1_000 + number).50", product: number < 4 ? hostile : "p")
            } + [
                row(hostile, "7.00", kind: .refundedStillGranted),
                row("event", "990", "JPY", kind: .refundRecorded),
            ]
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
                run: RunID(text: "2026111\($0)T020000Z-000001"), asOf: .day(-Double($0)),
                status: .complete, findings: 7_000 * $0, money: earlier)
        }
        summary.facts.eventDays = [0, 5].map {
            EventDay(day: Instant.day(Double($0) - 9).day, refunds: 1_234 + $0, expirations: 2)
        }
        return try await page(summary, rows)
    }

    @Test("Every figure on the page names its place, which has that value")
    func sources() async throws {
        let page = try await fullPage()
        let figures = page.matches(of: #/data-source="([^"]+)">([^<]*)</#)
        #expect(figures.count > 75)
        var documents: [String: Any] = [:]
        for figure in figures {
            let parts = figure.1.split(separator: "#", maxSplits: 1).map(String.init)
            if documents[parts[0]] == nil {
                documents[parts[0]] = try JSONSerialization.jsonObject(
                    with: Data(reports.bytes("latest/\(parts[0])")))
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
                value = (value as? [String: Any])?[key]
            }
        }
        return value
    }

    @Test("The page has the most costly findings, at most ten, and three of a kind")
    func costliest() async throws {
        let page = try await fullPage()
        let shown = page.matches(of: #/user_id">(user-[0-9]+|event|a[^<]*)</#).map(\.1)
        #expect(
            shown == [
                "user-29", "user-28", "user-27", "a/b~c&lt;&quot;&#39;&amp;&gt;\u{FFFD}", "event",
                shown.last,
            ])
        #expect(page.contains("Refunded, still granted"))
    }

    @Test("The page has the change since the night before, and what has no estimate and why")
    func money() async throws {
        let page = try await fullPage()
        for text in [
            ">30,457.00</span> USD", ">−969,542.99</span> since the night before", ">2</span> more",
            "no usable price", ">−6,968</span> since the night before", "The last nights",
            "Refunds and expirations by day", "Leak by kind, USD", "Leak by product, USD",
            "controls/receipts/unverified\">4</span> receipts could not be checked",
            "<th scope=\"row\">http status</th>",
        ] { #expect(page.contains(text), "\(text)") }
    }

    @Test("The page loads nothing and runs nothing, and lets no stored text out of its cell")
    func selfContained() async throws {
        let page = try await fullPage()
        for word in [
            "<script", "<img", "<link", "http://", "https://", "url(", "@import", "<b>", "c<\"",
            "\u{202E}",
        ] { #expect(!page.contains(word), "\(word)") }
        #expect(page.contains("default-src 'none'"))
    }

    @Test("A kind is grouped by the severities of its rows")
    func mixedSeverities() async throws {
        let leak = FindingKind.Weight(severity: .critical, direction: .leak)
        let none = FindingKind.Weight(severity: .medium, direction: .none)
        let page = try await page(
            .sample(),
            [
                row("u1", kind: .receiptNotAuthentic, weight: none),
                row("u1", kind: .receiptForOtherApp, weight: leak),
                row("u2", kind: .receiptForOtherApp, weight: none),
            ])
        let sections = page.components(separatedBy: "<caption>")
        let leaks = try #require(sections.first { $0.hasPrefix("Leak: the business loses") })
        let information = try #require(sections.first { $0.hasPrefix("Information") })
        #expect(!leaks.contains("receipt_not_authentic"))
        #expect(information.contains("receipt_not_authentic"))
        #expect(!information.contains(">critical"))
        let source = "findings/severity_by_kind/receipt_for_other_app/critical\">1</span> critical"
        #expect(leaks.contains(source) && leaks.contains("/medium\">1</span> medium"))
    }

    @Test("The currencies with the most findings are first, and the page says where the others are")
    func currencies() async throws {
        let codes = ["AUD", "BRL", "CAD", "CHF", "EUR", "GBP", "SEK", "USD"]
        let rows = codes.enumerated().flatMap { number, code in
            (0...number).map { row("\(code)\($0)", "1.00", code) }
        }
        let page = try await page(.sample(), rows)
        #expect(page.contains("Leak by kind, USD") && page.contains("Leak by kind, CAD"))
        #expect(!page.contains("Leak by kind, AUD") && !page.contains("Leak by kind, BRL"))
        #expect(page.contains("<p>Other currencies are in <a href=\"summary.json\">"))
    }

    @Test("Stored texts that would fill a screen are cut, and ids are whole")
    func longTexts() async throws {
        let id = String(repeating: "0123456789", count: 6)
        let long = String(repeating: "long-", count: 900)
        let rows = [long, id].map { user in
            var row = row(user, "7.00", product: long)
            row.finding.explanation = long
            return row
        }
        let page = try await page(.sample(), rows)
        #expect(page.contains(">\(id)</span>"))
        #expect(page.contains(">\(long.prefix(64))…</span>"))
        #expect(page.contains(">\(long.prefix(600))…</span>"))
        let text = page.replacing(#/<[^>]*>/#, with: "\n")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 601 })
    }

    @Test("Where there is nothing to say the page says so")
    func empty() async throws {
        let page = try await page(.sample(.sample(scope: .limited(users: 1))))
        for text in [
            "This run looked at some users only", "Nothing to estimate.",
            "Nothing: Apple and the service agree.",
            "None was recorded since the night before.",
        ] { #expect(page.contains(text), "\(text)") }
        #expect(!page.contains("The most costly"))
        #expect(page.hasSuffix("</html>\n"))
    }
}
