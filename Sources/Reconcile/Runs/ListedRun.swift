/// A run in the list of `runs`.
package struct ListedRun: Hashable, Sendable {
    package var run: RunID
    package var asOf: Instant
    package var startedAt: Instant
    /// Nil while it is unfinished.
    package var finishedAt: Instant?
    /// `open`, `published`, `held`, `failed`, `abandoned` or `retracted`; `trial` for a finished
    /// trial.
    package var state: String
    /// Empty for a run over everything, else `replay` or `partial`.
    package var scope: String
    package var isPruned: Bool
    /// Nil when it was not published.
    package var result: Result?

    package struct Result: Hashable, Sendable {
        package var status: RunSummary.Status
        package var receipts: Int
        package var findings: [Severity: Int]
        /// By bucket and currency.
        package var money: [Amount]
    }

    package struct Amount: Hashable, Sendable {
        package let bucket: String
        package let currency: String
        /// A decimal number with the currency's minor digits.
        package let text: String
    }

    package init(
        run: RunID, asOf: Instant, startedAt: Instant, finishedAt: Instant?, state: String,
        scope: String, isPruned: Bool, result: Result?
    ) {
        self.run = run
        self.asOf = asOf
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.state = state
        self.scope = scope
        self.isPruned = isPruned
        self.result = result
    }

    /// Whole seconds; nil while the run is unfinished.
    package var seconds: Int? {
        finishedAt.map { Int($0.milliseconds - startedAt.milliseconds) / 1_000 }
    }
}
