import Testing

@testable import Reconcile

/// To add a night, copy a line and change its label, its counts, and the guards that hold it.
@Suite("A guard of a run over few receipts and rows")
struct SmallWorldTests {
    struct Night: CustomTestStringConvertible {
        let label: String
        var receipts = 1_000.0
        var rows = 1_000.0
        var unusable = 0.0
        var notJudged = 0.0
        /// Receipts and rows of the last published run; nil for a first run.
        var before: (receipts: Double, rows: Double)?
        /// The guards that hold the run.
        let held: [String]

        var testDescription: String { label }

        var figures: [Figures] {
            var now = Figures()
            now.set(.receipts, to: receipts)
            now.set(.entitlements, to: rows)
            now.set(.appStoreRows, to: rows)
            now.set(.unusable, to: unusable)
            now.set(.notJudged, to: notJudged)
            guard let before else { return [now] }
            var last = Figures()
            last.set(.receipts, to: before.receipts)
            last.set(.entitlements, to: before.rows)
            return [now, last]
        }
    }

    @Test(
        "A share holds a run only if it is a share of twenty or more",
        arguments: [
            Night(label: "one of four receipts is unusable", receipts: 4, unusable: 1, held: []),
            Night(
                label: "all of nineteen receipts are unusable", receipts: 19, unusable: 19,
                held: []),
            Night(
                label: "four of twenty receipts are unusable", receipts: 20, unusable: 4,
                held: []),
            Night(
                label: "five of twenty receipts are unusable", receipts: 20, unusable: 5,
                held: ["unusable"]),
            Night(
                label: "all of nineteen rows are not judged", rows: 19, notJudged: 19, held: []),
            Night(label: "ten of twenty rows are not judged", rows: 20, notJudged: 10, held: []),
            Night(
                label: "eleven of twenty rows are not judged", rows: 20, notJudged: 11,
                held: ["not_judged"]),
            Night(
                label: "one receipt is left of nineteen", receipts: 1, before: (19, 1_000),
                held: []),
            Night(
                label: "nine receipts are left of twenty", receipts: 9, before: (20, 1_000),
                held: ["shrunk"]),
            Night(label: "one row is left of nineteen", rows: 1, before: (1_000, 19), held: []),
            Night(
                label: "nine rows are left of twenty", rows: 9, before: (1_000, 20),
                held: ["shrunk"]),
            Night(
                label: "no receipt is left of three", receipts: 0, before: (3, 3),
                held: ["empty"]),
            Night(label: "a first run without rows", rows: 0, held: ["empty"]),
        ])
    func share(night: Night) {
        let guards = Guards(GuardSettings())
        let reasons = guards.judging(.sample(), by: night.figures).implausible
        #expect(reasons.map(\.by) == night.held)
    }
}
