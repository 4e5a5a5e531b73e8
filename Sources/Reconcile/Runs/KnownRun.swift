/// A run that was published or held, for `explain`, `evidence`, `runs` and `diff`.
package struct KnownRun: Sendable {
    package let run: Run
    /// The order in which runs were opened.
    let number: Int
    /// `published`, `held` or `retracted`.
    let state: String
    /// Whether it enters the history once it is published.
    let makesHistory: Bool
    let rulesVersion: Int
    /// Whether its outcomes and findings were removed by `prune`.
    package let isPruned: Bool
    /// Nil when nothing of its folder is stored.
    package let account: PublishedAccount?
    /// The status in its summary.
    let status: RunSummary.Status?
    /// For a held run: whether it would have been complete.
    let isComplete: Bool
    /// The previous run that its summary names.
    let previousRun: RunID?
    package let codeVersion: String
    let currencies: Set<Currency>
}
