import Testing

@testable import Reconcile

/// Figures of a run and of the runs before it, and the guards that they trip.
struct GuardCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Changes to a plausible run of 1,000 receipts and 800 rows.
    var figures: [(RunFigures.Name, String, Double)] = []
    /// The number of published runs before, each with the plausible figures and the changes of
    /// `before`.
    var runs = 0
    var before: [(RunFigures.Name, String, Double)] = []
    var settings = GuardSettings()
    var run = Run.sample()
    let trips: [String]
}

@Suite("A guard of the nightly run")
struct NightGuardTests {
    private static let day = 86_400_000.0
    private static let asOf = Double(Run.sample().asOf.milliseconds)

    private static func leap(_ now: Double, _ median: Double, runs: Int = 3) -> GuardCase {
        GuardCase(
            testDescription: "\(now) findings against \(median) in \(runs) runs",
            figures: [(.findings, "expired", now)], runs: runs,
            before: [(.findings, "expired", median)],
            trips: now > 3 * median && runs >= 3 && now > 20 ? ["leap"] : [])
    }

    static let cases: [GuardCase] = [
        GuardCase(testDescription: "accepts a first run", trips: []),
        GuardCase(testDescription: "accepts a run like the others", runs: 7, trips: []),
        GuardCase(
            testDescription: "lets half of the last run's receipts and rows pass",
            figures: [(.receipts, "", 500), (.entitlements, "", 400)], runs: 1, trips: []),
        GuardCase(
            testDescription: "holds less than half of the receipts",
            figures: [(.receipts, "", 499)], runs: 1, trips: ["shrunk"]),
        GuardCase(
            testDescription: "holds less than half of the rows",
            figures: [(.entitlements, "", 399)], runs: 1, trips: ["shrunk"]),
        GuardCase(
            testDescription: "holds a first night without receipts",
            figures: [(.receipts, "", 0)], trips: ["empty"]),
        GuardCase(
            testDescription: "holds a first night without rows",
            figures: [(.entitlements, "", 0), (.appStoreRows, "", 0)], trips: ["empty"]),
        GuardCase(
            testDescription: "holds a night without rows of the App Store",
            figures: [(.appStoreRows, "", 0)], trips: ["no_app_store_rows"]),
        GuardCase(
            testDescription: "lets seven days pass",
            figures: [(.newestChange, "", asOf - 7 * day)], trips: []),
        GuardCase(
            testDescription: "holds more than seven days",
            figures: [(.newestChange, "", asOf - 7 * day - 1)], trips: ["stale"]),
        GuardCase(
            testDescription: "lets twenty receipts without a secret pass",
            figures: [(.receiptsOfBundle, "other", 20)], trips: []),
        GuardCase(
            testDescription: "holds twenty-one receipts without a secret",
            figures: [(.receiptsOfBundle, "other", 21)], trips: ["no_secret"]),
        GuardCase(
            testDescription: "asks for no secret offline",
            figures: [(.receiptsOfBundle, "other", 21)], run: .sample(isOffline: true), trips: []),
        GuardCase(
            testDescription: "lets a fifth of the receipts be unusable",
            figures: [(.unusable, "", 200)], trips: []),
        GuardCase(
            testDescription: "holds more than a fifth", figures: [(.unusable, "", 201)],
            trips: ["unusable"]),
        GuardCase(
            testDescription: "lets half of the rows be unjudged",
            figures: [(.notJudged, "", 400)], trips: []),
        GuardCase(
            testDescription: "holds more than half", figures: [(.notJudged, "", 401)],
            trips: ["not_judged"]),
        leap(60, 20), leap(61, 20), leap(21, 0), leap(20, 0), leap(900, 10, runs: 2),
        leap(61, 20, runs: 7),
        GuardCase(
            testDescription: "lets a leap to half a percent of the receipts pass",
            figures: [(.receipts, "", 10_000), (.findings, "expired", 50)], runs: 3,
            before: [(.findings, "expired", 0)], trips: []),
        GuardCase(
            testDescription: "holds a leap of money",
            figures: [(.amount, "leak USD", 301), (.rowsWithAmount, "leak USD", 21)], runs: 3,
            before: [(.amount, "leak USD", 100)], trips: ["leap"]),
        GuardCase(
            testDescription: "lets money on twenty rows pass",
            figures: [(.amount, "leak USD", 301), (.rowsWithAmount, "leak USD", 20)], runs: 3,
            before: [(.amount, "leak USD", 100)], trips: []),
    ]

    @Test("A guard accepts a plausible run and holds an implausible one", arguments: cases)
    func trips(guarded: GuardCase) {
        let guards = Guards(guarded.settings) { $0 == "acme" }
        let figures =
            [Self.figures(guarded.figures)]
            + (0..<guarded.runs).map { _ in Self.figures(guarded.before) }
        let reasons = guards.look(at: guarded.run, figures).implausible
        #expect(reasons.map(\.by) == guarded.trips)
        #expect(Guards.off.look(at: guarded.run, figures).implausible.isEmpty)
    }

    @Test("The median of four runs is the mean of the middle two")
    func median() {
        func reasons(_ now: Double) -> Int {
            let before = [2.0, 40, 10, 900].map { Self.figures([(.findings, "expired", $0)]) }
            let tonight = Self.figures([(.findings, "expired", now)])
            return Guards(GuardSettings()) { _ in true }
                .look(at: .sample(), [tonight] + before).implausible.count
        }
        #expect(reasons(75) == 0)
        #expect(reasons(76) == 1)
    }

    private static func figures(_ others: [(RunFigures.Name, String, Double)]) -> RunFigures {
        var figures = RunFigures()
        figures.set(.receipts, to: 1_000)
        figures.set(.entitlements, to: 800)
        figures.set(.appStoreRows, to: 800)
        figures.set(.newestChange, to: asOf - day)
        figures.set(.receiptsOfBundle, of: "acme", to: 1_000)
        for (name, subject, value) in others { figures.set(name, of: subject, to: value) }
        return figures
    }
}
