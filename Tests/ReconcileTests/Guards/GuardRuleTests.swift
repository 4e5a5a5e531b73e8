import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a night, copy a line and change its label, what differs from a plausible run of 1,000
/// receipts and 800 rows, the published runs before it, and the guards that hold it.
@Suite("A guard of the nightly run")
struct GuardRuleTests {
    /// What is counted of a run.
    enum Figure: Sendable {
        case receipts(Double)
        case rows(Double)
        case appStoreRows(Double)
        case unusable(Double)
        case notJudged(Double)
        /// The newest change, in milliseconds after `as_of`.
        case newestChange(after: Double)
        /// Of a bundle; there is a secret of `acme` only.
        case receiptsOf(BundleID, Double)
        /// Findings of the kind `expired`.
        case expired(Double)
        case leak(cents: Double)
        case rowsWithLeak(Double)

        func add(to figures: inout Figures) {
            switch self {
            case .receipts(let count): figures.set(.receipts, to: count)
            case .rows(let count): figures.set(.entitlements, to: count)
            case .appStoreRows(let count): figures.set(.appStoreRows, to: count)
            case .unusable(let count): figures.set(.unusable, to: count)
            case .notJudged(let count): figures.set(.notJudged, to: count)
            case .newestChange(let time):
                figures.set(.newestChange, to: Double(Run.sample().asOf.milliseconds) + time)
            case .receiptsOf(let bundle, let count):
                figures.set(.receiptsOfBundle, of: bundle.text, to: count)
            case .expired(let count): figures.set(.findings, of: "expired", to: count)
            case .leak(let cents): figures.set(.amount, of: "leak USD", to: cents)
            case .rowsWithLeak(let count): figures.set(.rowsWithAmount, of: "leak USD", to: count)
            }
        }
    }

    struct Night: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Of this run, and then of those before it.
        let figures: [Figures]
        /// The guards that hold the run.
        let held: [String]

        init(
            _ label: String, _ changes: [Figure], after runs: Int = 0,
            with changesBefore: [Figure] = [], held: [String]
        ) {
            testDescription = label
            let before = GuardRuleTests.plausible(changesBefore)
            figures =
                [GuardRuleTests.plausible(changes)] + Array(repeating: before, count: runs)
            self.held = held
        }
    }

    private static let day = 86_400_000.0
    private static let guards = Guards(GuardSettings()) { $0 != "acme" }

    private static func plausible(_ changes: [Figure]) -> Figures {
        var figures = Figures()
        let usual: [Figure] = [
            .receipts(1_000), .receiptsOf("acme", 1_000), .rows(800), .appStoreRows(800),
            .newestChange(after: -day),
        ]
        for figure in usual + changes { figure.add(to: &figures) }
        return figures
    }

    @Test("A guard accepts a plausible run and holds an implausible one", arguments: counts + leaps)
    func trips(night: Night) {
        let reasons = Self.guards.judging(.sample(), by: night.figures).implausible
        #expect(reasons.map(\.by) == night.held)
        // Offline no secret is needed.
        let offline = Self.guards.judging(.sample(isOffline: true), by: night.figures).implausible
        #expect(offline.map(\.by) == night.held.filter { $0 != "no_secret" })
        #expect(Guards.off.judging(.sample(), by: night.figures).implausible.isEmpty)
    }

    private static let counts = [
        Night("a first run", [], held: []),
        Night("a run like the others", [], after: 7, held: []),
        Night(
            "half of the last receipts and rows", [.receipts(500), .rows(400)], after: 1, held: []),
        Night("less than half of the receipts", [.receipts(499)], after: 1, held: ["shrunk"]),
        Night("less than half of the rows", [.rows(399)], after: 1, held: ["shrunk"]),
        Night("a first night without receipts", [.receipts(0)], held: ["empty"]),
        Night("a first night without rows", [.rows(0), .appStoreRows(0)], held: ["empty"]),
        Night("one row of the App Store", [.appStoreRows(1)], held: []),
        Night("no rows of the App Store", [.appStoreRows(0)], held: ["no_app_store_rows"]),
        Night("seven days", [.newestChange(after: -7 * day)], held: []),
        Night("more than seven days", [.newestChange(after: -7 * day - 1)], held: ["stale"]),
        Night("twenty receipts without a secret", [.receiptsOf("other", 20)], held: []),
        Night("twenty-one without a secret", [.receiptsOf("other", 21)], held: ["no_secret"]),
        Night("a fifth of the receipts unusable", [.unusable(200)], held: []),
        Night("more than a fifth", [.unusable(201)], held: ["unusable"]),
        Night("half of the rows unjudged", [.notJudged(400)], held: []),
        Night("more than half", [.notJudged(401)], held: ["not_judged"]),
    ]

    private static let leaps = [
        Night("the triple", [.expired(60)], after: 3, with: [.expired(20)], held: []),
        Night("a leap", [.expired(61)], after: 3, with: [.expired(20)], held: ["leap"]),
        Night("from nothing", [.expired(21)], after: 3, with: [.expired(0)], held: ["leap"]),
        Night("few findings", [.expired(20)], after: 3, with: [.expired(0)], held: []),
        Night("after two runs", [.expired(900)], after: 2, with: [.expired(10)], held: []),
        Night("after a week", [.expired(61)], after: 7, with: [.expired(20)], held: ["leap"]),
        Night(
            "half a percent", [.receipts(10000), .expired(50)], after: 3, with: [.expired(0)],
            held: []),
        Night(
            "a leap of money", [.leak(cents: 301), .rowsWithLeak(21)], after: 3,
            with: [.leak(cents: 100)], held: ["leap"]),
        Night(
            "money on twenty rows", [.leak(cents: 301), .rowsWithLeak(20)], after: 3,
            with: [.leak(cents: 100)], held: []),
    ]

    @Test(
        "The median of four runs is the mean of the middle two",
        arguments: [(now: 75, held: []), (now: 76, held: ["leap"])])
    func median(now: Double, held: [String]) {
        let figures = [now, 2, 40, 10, 900].map { Self.plausible([.expired($0)]) }
        #expect(Self.guards.judging(.sample(), by: figures).implausible.map(\.by) == held)
    }
}
