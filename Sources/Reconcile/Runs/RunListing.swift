/// A run in any state, for the commands that read what runs have stored.
package struct RunListing: Sendable {
    package internal(set) var run: Run
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
    let status: Summary.Status?
    /// For a held run: whether it would have been complete.
    let isComplete: Bool
    /// The previous run that its summary names.
    let previousRun: RunID?
    package let codeVersion: String
    /// The numbers of its summary; nil and empty when nothing of it is stored.
    var publishedFindings: Int?
    var publishedMoney: [Amount] = []

    var currencies: Set<Currency> { Set(publishedMoney.map(\.currency)) }

    /// What it is, where later runs do not count it; nil for a published run over everything.
    package var remark: String? {
        Self.remark(
            state, isTrial: run.isTrial, isReplay: run.replayOf != nil,
            isEverything: run.scope.isEverything)
    }

    /// The state as `runs` lists it.
    var listedState: String { Line.state(state, isTrial: run.isTrial) }

    /// For example `held`, `trial` or `abandoned trial`.
    static func remark(
        _ state: String, isTrial: Bool, isReplay: Bool, isEverything: Bool
    ) -> String? {
        let kind = isTrial ? "trial" : isReplay ? "replay" : isEverything ? nil : "partial"
        let words = [state == "published" ? nil : state, kind].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

extension RunListing: CustomStringConvertible {
    /// The id, and what the run is where later runs do not count it.
    package var description: String { run.id.text + (remark.map { " (\($0))" } ?? "") }
}

extension RunListing {
    struct Amount: Hashable, Sendable {
        let bucket: MoneyTally.Bucket
        let currency: Currency
        /// A decimal number with the currency's minor digits.
        let text: String
    }

    /// A line of the command `runs`.
    package struct Line: Hashable, Sendable {
        var run: RunID
        var asOf: Instant
        var startedAt: Instant
        /// Nil while it is unfinished.
        var finishedAt: Instant?
        /// The column `state` of `reconcile.run`; `trial` for a published trial.
        var state: String
        /// Empty for a run over everything, else `replay`, `partial`, or `trial` of one that was
        /// not published.
        var scope: String
        var isPruned: Bool
        /// What the views had when a run over everything was cut, and when it was closed; nil where
        /// it was not counted.
        var planned: ViewCounts?
        var atClose: ViewCounts?
        /// Nil when it was not published.
        var result: Result?
        /// In the order of signing.
        var signatures: [SignOff] = []

        struct Result: Hashable, Sendable {
            var status: Summary.Status
            var receipts: Int
            var findings: [Severity: Int]
            var money: [Amount] = []
        }

        static func state(_ state: String, isTrial: Bool) -> String {
            isTrial && state == "published" ? "trial" : state
        }

        /// Whole seconds; nil while the run is unfinished.
        var seconds: Int? {
            finishedAt.map { Int($0.milliseconds - startedAt.milliseconds) / 1_000 }
        }
    }

    /// How an operator names a run: by the beginning of its id, or by its number among the
    /// published runs over everything.
    package enum Name: Hashable, Sendable {
        case latest
        /// The published run before the latest one.
        case previous
        /// Of a run's id, which may be the name of its folder.
        case beginning(String)

        package init(_ text: String) {
            self =
                switch text {
                case "latest": .latest
                case "previous": .previous
                default: .beginning(text.hasSuffix("-trial") ? String(text.dropLast(6)) : text)
                }
        }

        /// Those of `find_known_runs`: the beginning of the id, or how many published
        /// runs are newer.
        var parameters: [String?] {
            switch self {
            case .latest: [nil, "0"]
            case .previous: [nil, "1"]
            case .beginning(let prefix): [prefix, nil]
            }
        }
    }
}

extension MoneyTally {
    mutating func add(_ amount: RunListing.Amount) throws(Unsummable) {
        guard let money = Money(amount.text, in: amount.currency) else {
            throw Unsummable(
                what: "\(amount.text) \(amount.currency.code), which a run published, is no amount")
        }
        try add(money, to: amount.bucket)
    }
}

extension RunListing.Name: CustomStringConvertible {
    package var description: String {
        switch self {
        case .latest: "latest"
        case .previous: "previous"
        case .beginning(let prefix): prefix
        }
    }
}
