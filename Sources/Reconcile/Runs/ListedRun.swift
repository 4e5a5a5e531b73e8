package struct ListedRun: Hashable, Sendable {
    var run: RunID
    var asOf: Instant
    var startedAt: Instant
    /// Nil while it is unfinished.
    var finishedAt: Instant?
    /// The column `state` of `reconcile.run`; `trial` for a published trial.
    var state: String
    /// Empty for a run over everything, else `replay`, `partial`, or `trial` of one that was not
    /// published.
    var scope: String
    var isPruned: Bool
    /// What the views had when a run over everything was cut, and when it was closed; nil where it
    /// was not counted.
    var planned: ViewCounts?
    var atClose: ViewCounts?
    /// Nil when it was not published.
    var result: Result?

    struct Result: Hashable, Sendable {
        var status: RunSummary.Status
        var receipts: Int
        var findings: [Severity: Int]
        var money: [Amount]
    }

    struct Amount: Hashable, Sendable {
        let bucket: String
        let currency: String
        /// A decimal number with the currency's minor digits.
        let text: String
    }

    static func state(_ state: String, isTrial: Bool) -> String {
        isTrial && state == "published" ? "trial" : state
    }

    /// Whole seconds; nil while the run is unfinished.
    var seconds: Int? {
        finishedAt.map { Int($0.milliseconds - startedAt.milliseconds) / 1_000 }
    }
}
