import Testing

@testable import Reconcile
@testable import TestSupport

/// What the page and the first sheet say of answers of the App Store Server API. To add a case of
/// a table, copy one.
@Suite("The page and the first sheet of a night with two sources")
struct TwoSourcesPageTests {
    private let reports: TemporaryFolder
    init() throws { reports = try TemporaryFolder() }

    /// The text of the page without its markup.
    private func text(of summary: Summary, _ rows: [ReportedFinding] = []) async throws -> String {
        try await reports.publish(summary, rows)
        return try reports.read("\(summary.run.folderName)/index.html")
            .replacing("<br>", with: " ").replacing(#/<[^>]*>/#, with: "")
    }

    private func cells(_ summary: Summary, of first: String) -> [WorkbookCell]? {
        SummarySheet.rows(summary, codeVersion: "1", sheets: []).first { $0.first == .text(first) }
    }

    // MARK: Sums

    /// A leak of 1.00 USD for each basis, and what is said of their sum.
    struct Sum: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bases: [AmountBasis]
        let page: String
        let recorded: WorkbookCell
        let listed: WorkbookCell
    }

    @Test(
        "Of each sum it is said what part is recorded, and what part is at list prices",
        arguments: [
            Sum(
                testDescription: "both", bases: [.recordedPrice, .listPrice, .recordedPrice],
                page: "3 findings 2.00 at recorded prices, 1.00 at list prices",
                recorded: .decimal("2.00"), listed: .decimal("1.00")),
            Sum(
                testDescription: "recorded", bases: [.recordedPrice],
                page: "1 finding 1.00 at recorded prices\n", recorded: .decimal("1.00"),
                listed: .empty),
            Sum(
                testDescription: "listed", bases: [.listPrice],
                page: "1 finding 1.00 at list prices\n", recorded: .empty,
                listed: .decimal("1.00")),
        ])
    func sums(sum: Sum) async throws {
        let rows = sum.bases.enumerated().map { index, basis in
            var row = ReportedFinding.sample(user: UserID("u\(index)"))
            row.estimatedAmount = "1.00"
            row.currency = "USD"
            row.amountBasis = basis
            return row
        }
        var summary = Summary.sample()
        for basis in sum.bases {
            let money = Money(minorUnits: 100, in: try .usd)
            try summary.breakdown.add(money, to: .leak, of: basis.rawValue, by: .basis)
            summary.breakdown.count(1, in: try .usd, of: .leak)
        }
        let page = try await text(of: summary, rows)
        #expect(page.contains(sum.page), "\(page)")
        for row in rows { try summary.money.add(row) }
        let row = cells(summary, of: MoneyTally.Bucket.leak.title) ?? []
        #expect(Array(row.suffix(2)) == [sum.recorded, sum.listed])
    }

    @Test("Money is never called revenue without a not")
    func isNoRevenue() async throws {
        let page = try await text(of: .sample())
        #expect(page.contains("Estimates, as of this night, never revenue:"))
        #expect(page.ranges(of: "revenue").count == 1)
    }

    // MARK: Agreement

    /// How often what Apple tells twice is the same, and the rows of the section.
    struct Agreement: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var sources = (agree: 0, differ: 0)
        var statuses = (agree: 0, differ: 0)
        let rows: [String]
    }

    private static let sources = "receipts that verifyReceipt and the App Store Server API verified"
    private static let statuses = "subscriptions with Apple's own status"

    @Test(
        "What was compared is in a section, with what to do where it differs",
        arguments: [
            Agreement(testDescription: "nothing compared", rows: []),
            Agreement(
                testDescription: "sources differ", sources: (1_200, 3), statuses: (40, 0),
                rows: [
                    "\(sources)1,2003Read the rows of sources_disagree in receipts.csv:",
                    "\(statuses)400Nothing.",
                ]),
            Agreement(
                testDescription: "statuses only", statuses: (0, 1),
                rows: ["\(statuses)01Report it: the log has each difference"]),
        ])
    func agreement(of agreement: Agreement) async throws {
        var summary = Summary.sample()
        summary.sourcesAgree = agreement.sources.agree
        summary.sourcesDiffer = agreement.sources.differ
        summary.statusesAgree = agreement.statuses.agree
        summary.statusesDiffer = agreement.statuses.differ
        let page = try await text(of: summary).replacing("&#39;", with: "'")
        #expect(page.contains("\nAgreement\n") == !agreement.rows.isEmpty)
        for row in agreement.rows { #expect(page.contains(row), "\(page)") }
        let names = [Self.sources, Self.statuses]
        #expect(
            names.filter(page.contains)
                == names.filter { name in agreement.rows.contains { $0.hasPrefix(name) } })
    }

    @Test("The first sheet has the same counts")
    func sheet() {
        var summary = Summary.sample()
        summary.sourcesAgree = 1_200
        summary.sourcesDiffer = 3
        let row = cells(
            summary, of: "receipts verified by verifyReceipt and the App Store Server API")
        #expect(row?.dropFirst() == [.integer(1_200), .integer(3)])
        #expect(cells(summary, of: Self.statuses) == nil)
        #expect(cells(.sample(), of: "What Apple tells twice") == nil)
    }

    // MARK: Rows

    @Test(
        "A row of a finding names its source where that is the App Store Server API",
        arguments: [(.serverAPI, true), (.verifyReceipt, false), (nil, false)]
            as [(source: AnswerSource?, isNamed: Bool)])
    func source(of source: AnswerSource?, isNamed: Bool) async throws {
        var row = ReportedFinding.sample(.expiredStillGranted)
        row.estimatedAmount = "1.00"
        row.currency = "USD"
        row.finding.source = source
        let page = try await text(of: .sample(), [row])
        #expect(page.contains("The most costly findings"))
        #expect(page.contains("source: server_api") == isNamed)
        #expect(page.contains("source: ") == isNamed)
    }
}
