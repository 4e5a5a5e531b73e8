import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A guard of the nightly run")
struct GuardRuleTests {
    private static let day = 86_400_000
    private static let guards = Guards(GuardSettings()) { $0 == "acme" }

    /// - Parameter row: what it is; changes to a plausible run of 1,000 receipts and 800 rows, with
    ///   the newest change in milliseconds from as_of; the number of published runs before, and
    ///   changes to each; the guard that is tripped.
    @Test(
        "A guard accepts a plausible run and holds an implausible one",
        arguments: """
            a first run                        |                                  | 0 | |
            a run like the others              |                                  | 7 | |
            half of the last receipts and rows | receipts=500, entitlements=400   | 1 | |
            less than half of the receipts     | receipts=499                     | 1 | | shrunk
            less than half of the rows         | entitlements=399                 | 1 | | shrunk
            a first night without receipts     | receipts=0                       | 0 | | empty
            a first night without rows         | entitlements=0, app_store_rows=0 | 0 | | empty
            one row of the App Store           | app_store_rows=1                 | 0 | |
            no rows of the App Store           | app_store_rows=0 | 0 | | no_app_store_rows
            seven days                         | newest_change=\(-7 * day)        | 0 | |
            more than seven days               | newest_change=\(-7 * day - 1)    | 0 | | stale
            twenty receipts without a secret   | receipts_of_bundle(other)=20     | 0 | |
            twenty-one without a secret        | receipts_of_bundle(other)=21     | 0 | | no_secret
            a fifth of the receipts unusable   | unusable=200                     | 0 | |
            more than a fifth                  | unusable=201                     | 0 | | unusable
            half of the rows unjudged          | not_judged=400                   | 0 | |
            more than half                     | not_judged=401                   | 0 | | not_judged
            the triple     | findings(expired)=60  | 3 | findings(expired)=20 |
            a leap         | findings(expired)=61  | 3 | findings(expired)=20 | leap
            from nothing   | findings(expired)=21  | 3 | findings(expired)=0  | leap
            few findings   | findings(expired)=20  | 3 | findings(expired)=0  |
            after two runs | findings(expired)=900 | 2 | findings(expired)=10 |
            after a week   | findings(expired)=61  | 7 | findings(expired)=20 | leap
            half a percent | receipts=10000, findings(expired)=50 | 3 | findings(expired)=0 |
            a leap of money | amount(leak USD)=301, rows_with_amount(leak USD)=21 | 3 \
            | amount(leak USD)=100 | leap
            money on twenty rows | amount(leak USD)=301, rows_with_amount(leak USD)=20 | 3 \
            | amount(leak USD)=100 |
            """.rows)
    func trips(row: [String]) throws {
        let before = try Self.figures(row[3])
        let figures = [try Self.figures(row[1])] + Array(repeating: before, count: Int(row[2]) ?? 0)
        let reasons = Self.guards.look(at: .sample(), figures).implausible
        #expect(reasons.map(\.by) == (row[4].isEmpty ? [] : [row[4]]))
        // Offline no secret is needed.
        let offline = Self.guards.look(at: .sample(isOffline: true), figures).implausible
        #expect(offline.map(\.by) == reasons.map(\.by).filter { $0 != "no_secret" })
        #expect(Guards.off.look(at: .sample(), figures).implausible.isEmpty)
    }

    @Test("The median of four runs is the mean of the middle two", arguments: [(75, 0), (76, 1)])
    func median(now: Int, reasons: Int) throws {
        let figures = try [now, 2, 40, 10, 900].map { try Self.figures("findings(expired)=\($0)") }
        #expect(Self.guards.look(at: .sample(), figures).implausible.count == reasons)
    }

    private static func figures(_ changes: String) throws -> Figures {
        var figures = Figures()
        figures.set(.receiptsOfBundle, of: "acme", to: 1_000)
        let usual = "receipts=1000, entitlements=800, app_store_rows=800, newest_change=\(-day), "
        for change in (usual + changes).matches(of: /(\w+)(\((.+?)\))?=(-?\d+)/) {
            let name = try #require(Figures.Name(rawValue: String(change.1)))
            let start = name == .newestChange ? Double(Run.sample().asOf.milliseconds) : 0
            let value = try #require(Double(change.4))
            figures.set(name, of: String(change.3 ?? ""), to: start + value)
        }
        return figures
    }
}
