import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: make a `page` of a summary and rows, and compare what it contains.
@Suite("The page of a night")
struct SummaryPageTests {
    private let reports: TemporaryFolder
    private let hostile = "a/b~c<\"'&>\u{202E}"
    init() throws { reports = try TemporaryFolder() }

    private func page(
        _ summary: Summary = .sample(), _ rows: [ReportedFinding] = []
    ) async throws -> String {
        var summary = summary
        for row in rows {
            let currency = row.currency.flatMap(Currency.init)
            guard let bucket = row.finding.moneyBucket, let currency else { continue }
            let money = try #require(Money(row.estimatedAmount ?? "", in: currency))
            let names = [row.finding.kind.rawValue, row.finding.productApple?.text ?? ""]
            summary.breakdown.count(1, in: currency, of: bucket)
            try summary.breakdown.add(money, to: bucket, of: names[0], by: .kind)
            try summary.breakdown.add(money, to: bucket, of: names[1], by: .product)
            let basis = row.amountBasis?.rawValue ?? ""
            try summary.breakdown.add(money, to: bucket, of: basis, by: .basis)
        }
        try await reports.publish(summary, rows)
        return try reports.read("\(summary.run.folderName)/index.html")
    }

    private func row(
        _ user: String, _ amount: String? = nil, _ currency: String = "USD",
        kind: FindingKind = .expiredStillGranted, product: ProductID? = nil,
        _ severity: Severity = .high, _ direction: Direction = .leak
    ) -> ReportedFinding {
        var row = ReportedFinding.sample(kind, user: UserID(user))
        row.estimatedAmount = amount
        row.currency = amount == nil ? nil : currency
        row.finding.productApple = product
        row.finding.severity = severity
        row.finding.direction = direction
        return row
    }

    /// The page of a night with something of everything, and rows with strange values.
    private func fullPage() async throws -> String {
        var rows = (0..<30).map {
            row("user-\($0)", "\(1_000 + $0).50", product: ProductID($0 < 4 ? hostile : "p"))
        }
        rows += [row(hostile, "7.00", kind: .refundedStillGranted)]
        rows += [row("event", "990", "JPY", kind: .refundRecorded)]
        var summary = Summary.sample(status: .incomplete, unverified: 4)
        summary.unverifiedByCause = ["http_status": 4]
        summary.breakdown.count(2, without: .noPrice, in: .leak)
        summary.facts.clearedByKind = [.refundedStillGranted: 3]
        let accepted = AcceptedFinding(
            id: "f", kind: .expiredStillGranted, user: UserID(hostile), by: "ada", why: hostile,
            until: nil)
        summary.acceptances = [accepted]
        var earlier = MoneyTally()
        try earlier.add(Money(minorUnits: 99_999_999, in: .usd), to: .leak)
        summary.facts.earlierRuns = [1, 2, 3].map {
            Summary.EarlierRun(
                run: RunID(text: "2026111\($0)T020000Z-000001"), asOf: .day(-Double($0)),
                status: .complete, findings: 7_000 * $0, money: earlier)
        }
        summary.facts.monthToDate = MonthToDate(
            month: "2026-11", refunds: 171,
            money: [Money(minorUnits: 270_529, in: try .usd)])
        summary.facts.eventDays = [0, 5].map {
            Summary.EventDay(
                day: Instant.day(Double($0) - 9).day, refunds: 1_234 + $0, expirations: 2)
        }
        return try await page(summary, rows)
    }

    @Test("Every figure names its source, which has that value; the costliest findings are shown")
    func contents() async throws {
        let page = try await fullPage().replacing(#/<\/?time>/#, with: "")
        let figures = page.matches(of: #/data-source="([^"]+)#([^"]+)">([^<]*)</#)
        #expect(figures.count > 75)
        for (figure, file, pointer, text) in figures.map(\.output) {
            let document = try JSONSerialization.jsonObject(
                with: Data(reports.bytes("latest/\(file)")))
            let value = resolve(pointer.removingPercentEncoding ?? "", in: document)
            let shown = unescaped(text).replacing("−", with: "-").replacing("+", with: "")
            let stored = value.map { "\($0)".replacing("\u{202E}", with: "\u{FFFD}") }
            #expect([shown, shown.replacing(",", with: "")].contains(stored), "\(figure)")
        }
        // A number outside of the figures repeats one of them.
        let markup = #/<style>(?s:.*?)</style>|<svg(?s:.*?)</svg>|<[^>]*>/#
        let sourced = Set(figures.map { unescaped($0.3) })
        for line in page.replacing(markup, with: "\n").split(separator: "\n").map(unescaped) {
            let number = line.firstMatch(of: #/^[−+-]?[0-9][0-9,.]*$/#)
            #expect(number == nil || sourced.contains(line), "\(line)")
        }
        // At most ten, and three of a kind.
        let costliest = page.matches(of: #/user_id">(user-[0-9]+|event|a[^<]*)</#).map(\.1)
        let escaped: Substring = "a/b~c&lt;&quot;&#39;&amp;&gt;\u{FFFD}"
        #expect(costliest.dropLast() == ["user-29", "user-28", "user-27", escaped, "event"])
        for text in [
            ">30,457.00</span> USD", ">−969,542.99</span> USD since the night before",
            "no usable price", ">−6,969</span> since the night before",
            ">31</span> of", "In November 2026 so far:", ">2,705.29</span> USD",
            "How old it is", "Leak by kind and age, findings",
            "The last nights", "Refunds and expirations by day", "Leak by kind, USD",
            "Leak by product, USD",
            "controls/receipts/unverified\">4</span> receipts could not be checked",
            "<th scope=\"row\">http status</th>", "Refunded, still granted", "default-src 'none'",
        ] { #expect(page.contains(text), "\(text)") }
        // It loads nothing and runs nothing, and lets no stored text out of its cell.
        for unsafe in [
            "<script", "<img", "<link", "http://", "https://", "url(", "@import", "<b>", "c<\"",
            "\u{202E}",
        ] { #expect(!page.contains(unsafe), "\(unsafe)") }
    }

    private func unescaped(_ text: Substring) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    /// By RFC 6901.
    private func resolve(_ pointer: String, in document: Any) -> Any? {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .reduce(document as Any?) { value, part in
                let key = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
                guard let array = value as? [Any] else { return (value as? [String: Any])?[key] }
                return Int(key).flatMap { array.indices.contains($0) ? array[$0] : nil }
            }
    }

    @Test("Kinds are grouped by severity, frequent currencies are first, and long texts are cut")
    func order() async throws {
        let id = String(repeating: "0123456789", count: 6)
        let long = String(repeating: "long-", count: 900)
        var rows = [
            row("u1", kind: .receiptNotAuthentic, .medium, .none),
            row("u1", kind: .receiptForOtherApp, .critical, .leak),
            row("u2", kind: .receiptForOtherApp, .medium, .none),
            row(long, "7.00", product: ProductID(long)), row(id, "7.00", product: ProductID(long)),
        ]
        for index in rows.indices { rows[index].finding.explanation = long }
        let codes = ["AUD", "BRL", "CAD", "CHF", "EUR", "GBP", "SEK", "USD"]
        for (number, code) in codes.enumerated() {
            rows += (0...number).map { row("\(code)\($0)", "1.00", code) }
        }
        let page = try await page(.sample(), rows)
        let sections = page.components(separatedBy: "<caption>")
        let leaks = try #require(sections.first { $0.hasPrefix("Leak: the business loses") })
        let information = try #require(sections.first { $0.hasPrefix("Information") })
        #expect(!leaks.contains("receipt_not_authentic"))
        #expect(information.contains("receipt_not_authentic"))
        #expect(!information.contains(">critical"))
        let source = "findings/severity_by_kind/receipt_for_other_app/critical\">1</span> critical"
        #expect(leaks.contains(source))
        #expect(leaks.contains("/medium\">1</span> medium"))
        #expect(page.contains("Leak by kind, USD"))
        #expect(page.contains("Leak by kind, CAD"))
        #expect(!page.contains("Leak by kind, AUD"))
        #expect(!page.contains("Leak by kind, BRL"))
        #expect(page.contains("<p>Other currencies are in <a href=\"summary.json\">"))
        for text in [id, "\(long.prefix(64))…", "\(long.prefix(600))…"] {
            #expect(page.contains(">\(text)</span>"))
        }
        let text = page.replacing(#/<[^>]*>/#, with: "\n")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 601 })
    }

    @Test("Where there is nothing to say the page says so")
    func empty() async throws {
        var summary = Summary.sample(.sample(scope: .limited(users: 1)))
        let page = try await page(summary)
        for text in [
            "This is a partial run: ", "Nothing to estimate.",
            "No findings: Apple and the service agree.", "This night tells none.",
        ] { #expect(page.contains(text), "\(text)") }
        summary.receipts = .init()
        #expect(
            summary.nothingFound == "No findings: there are no receipts and no rows to judge.")
        #expect(!page.contains("The most costly"))
        #expect(page.hasSuffix("</html>\n"))
    }
}
