/// A run that was published, or held, as the commands of the dispute desk know it.
package struct KnownRun: Sendable {
    package let run: Run
    /// In the order in which runs were opened.
    package let number: Int
    /// `published`, `held` or `retracted`.
    package let state: String
    /// An earlier run to the rules, if it is published.
    package let makesHistory: Bool
    package let rulesVersion: Int
    /// What it learned and found has been removed.
    package let isPruned: Bool
    /// What is kept of its folder.
    package let account: PublishedAccount?
    /// What its summary calls it.
    package let status: RunSummary.Status?
    /// Also of a held run: whether it would be complete.
    package let isComplete: Bool
    /// The run that its summary names as the one before it.
    package let previousRun: RunID?
    /// The release that published it.
    package let codeVersion: String
    /// Those of its summary's money.
    package let currencies: Set<Currency>

    package init(
        run: Run, number: Int, state: String, makesHistory: Bool, rulesVersion: Int,
        isPruned: Bool, account: PublishedAccount?, status: RunSummary.Status?, isComplete: Bool,
        previousRun: RunID?, codeVersion: String, currencies: Set<Currency>
    ) {
        self.run = run
        self.number = number
        self.state = state
        self.makesHistory = makesHistory
        self.rulesVersion = rulesVersion
        self.isPruned = isPruned
        self.account = account
        self.status = status
        self.isComplete = isComplete
        self.previousRun = previousRun
        self.codeVersion = codeVersion
        self.currencies = currencies
    }
}
