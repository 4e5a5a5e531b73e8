import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The page of a night")
struct HTMLReportTests {
    private func page(
        _ summary: RunSummary = .sample(findings: [.expiredStillGranted]),
        _ rows: [ReportedFinding] = [.full]
    ) -> String {
        String(
            decoding: HTMLReport.page(
                summary, top: rows, unverified: 3, cleared: 2, codeVersion: "0.1.0"),
            as: UTF8.self)
    }

    @Test("shows what was found, what it may come to, and that every row was counted once")
    func shows() throws {
        var summary = RunSummary.sample(findings: [.expiredStillGranted], unverified: 1)
        try summary.money.add(
            Money(minorUnits: 1_234, in: try #require(Currency("USD"))), to: .leak)
        let page = page(summary)
        for text in [
            "Run 20261120T020000Z-000abc, judged as of 2026-11-20T02:00:00Z",
            "<td>expired_still_granted</td><td><a href=\"expirations.csv\">", "12.34",
            "An estimate from list prices", "0.33 USD", "<span class=\"high\">high</span>",
            "9 verified + 0 rejected + 0 unusable + 1 unverified",
            "<td><a href=\"cleared.csv\">cleared.csv</a></td><td class=\"number\">2</td>",
            "<a href=\"unverified.csv\">unverified.csv</a></td><td class=\"number\">3</td>",
            "<a href=\"summary.json\">",
        ] { #expect(page.contains(text), "\(text)") }
        #expect(page.hasSuffix("</html>\n"))
    }

    @Test("breaks no number, severity or heading within a word, however narrow it is")
    func unbroken() {
        #expect(page().contains("\nspan, th, td.number { white-space: nowrap; }\n"))
    }

    @Test("loads nothing and runs nothing")
    func selfContained() {
        for word in ["<script", "<img", "<link", "http://", "https://", "url(", "@import"] {
            #expect(!page().contains(word), "\(word)")
        }
        #expect(page().contains("default-src 'none'"))
    }

    @Test("says so when the night is not whole, and when there is nothing to say")
    func incomplete() {
        let scope = RunScope.limited(users: 1)
        let partial = page(.sample(.sample(scope: scope), status: .incomplete, unverified: 4), [])
        #expect(partial.contains("4 receipts could not be checked."))
        #expect(partial.contains("This run looked at some users only"))
        #expect(partial.contains("Nothing to estimate.") && !partial.contains("The gravest"))
    }

    @Test("lets no stored text out of its cell")
    func escapes() {
        let hostile = "<b>\"'&</td>\u{0}\u{1B}[1m\u{202E}x\u{7F}"
        var row = ReportedFinding.sample(user: UserID(hostile), explanation: hostile)
        row.estimatedAmount = hostile
        let cell = "&lt;b&gt;&quot;&#39;&amp;&lt;/td&gt;\u{FFFD}\u{FFFD}[1m\u{FFFD}x\u{FFFD}"
        #expect(page(.sample(), [row]).components(of: cell) == 3)
        #expect(!page(.sample(), [row]).contains("<b>"))
    }

    @Test("has the gravest rows of all files, without events and what was accepted")
    func mostSevere() async throws {
        let reports = try TemporaryFolder()
        let folder = try ReportFolder(reports: reports.path, run: .sample())
        var accepted = ReportedFinding.sample(.refundedStillGranted, user: "accepted")
        accepted.lifecycle = .accepted
        var grave = ReportedFinding.sample(.activeNotGranted, user: "grave")
        grave.finding.severity = .critical
        let many = (0..<30).map { ReportedFinding.sample(user: UserID("user-\($0)")) }
        try await folder.fill([
            .refunds: [accepted, .sample(.refundRecorded, user: "event")], .mismatches: [grave],
            .expirations: many,
        ])
        let kinds =
            [FindingKind.refundedStillGranted, .refundRecorded, .activeNotGranted]
            + many.map(\.finding.kind)
        _ = try await folder.publish(.sample(findings: kinds), codeVersion: "0.1.0", fence: {})
        let page = try reports.read("latest/index.html")
        #expect(page.contains("The first 20 of 33"))
        #expect(page.contains("<td>grave</td>"))
        #expect(!page.contains("<td>accepted</td>") && !page.contains("<td>event</td>"))
        #expect(page.components(of: "<td>expired_still_granted</td><td>user-") == 19)
    }
}

extension String {
    /// How often `part` occurs.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
