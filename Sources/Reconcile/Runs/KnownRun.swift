/// A run in any state, for the commands that read what runs have stored.
package struct KnownRun: Sendable {
    package let run: Run
    /// The order in which runs were opened.
    let number: Int
    /// The column `state` of `reconcile.run`.
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
    /// The numbers of its summary; nil and empty when nothing of it is stored.
    var publishedFindings: Int?
    var publishedMoney: [ListedRun.Amount] = []

    /// What it is, where later runs do not count it; nil for a published run over everything.
    package var remark: String? {
        Self.remark(
            state, isTrial: run.isTrial, isReplay: run.replayOf != nil,
            isEverything: run.scope.isEverything)
    }

    /// The state as `runs` lists it.
    var listedState: String { ListedRun.state(state, isTrial: run.isTrial) }

    /// For example `held`, `trial` or `abandoned trial`.
    static func remark(
        _ state: String, isTrial: Bool, isReplay: Bool, isEverything: Bool
    ) -> String? {
        let kind = isTrial ? "trial" : isReplay ? "replay" : isEverything ? nil : "partial"
        let words = [state == "published" ? nil : state, kind].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

extension KnownRun: CustomStringConvertible {
    /// The id, and what the run is where later runs do not count it.
    package var description: String { run.id.text + (remark.map { " (\($0))" } ?? "") }
}
