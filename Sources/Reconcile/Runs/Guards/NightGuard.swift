/// One reason not to believe a run over everything: a number, and from where on it is implausible.
struct NightGuard: Sendable {
    /// Raw values are the column `guard` and the summary's.
    enum Name: String, Sendable {
        case empty, shrunk
        case noAppStoreRows = "no_app_store_rows"
        case stale
        case noSecret = "no_secret"
        case unusable
        case notJudged = "not_judged"
        case leap
    }

    let name: Name
    /// The flag that sets its threshold, without the dashes.
    let flag: String
    /// What is wrong, each in a sentence with its numbers and what to do; none where all is well.
    let sentences: @Sendable (GuardedRun) -> [String]

    init(_ name: Name, _ flag: String, _ sentences: @escaping @Sendable (GuardedRun) -> [String]) {
        self.name = name
        self.flag = flag
        self.sentences = sentences
    }

    /// The guards that need only the views' rows, and so run before the first request.
    static let ofSource: [NightGuard] = [.empty, .shrunk, .noAppStoreRows, .stale, .noSecret]
    /// The guards that need the results of the run.
    static let ofResult: [NightGuard] = [.unusable, .notJudged, .leap]
}

/// What the guards of runs go by.
package struct Guards: Sendable {
    let settings: GuardSettings
    /// Whether Apple is sent a shared secret with the receipts of an app.
    let hasSecret: @Sendable (BundleID) -> Bool

    package init(
        _ settings: GuardSettings, hasSecret: @escaping @Sendable (BundleID) -> Bool = { _ in true }
    ) {
        self.settings = settings
        self.hasSecret = hasSecret
    }

    /// With the thresholds of another process, where it has left any.
    /// - Parameter text: `GuardSettings.text`.
    func adopting(_ text: String?) -> Guards {
        guard let settings = text.flatMap(GuardSettings.init) else { return self }
        return Guards(settings, hasSecret: hasSecret)
    }

    /// Every guard is off.
    package static let off = Guards(.off)

    /// - Parameter figures: those of `run`, and of the last published runs over everything, the
    ///   newest first.
    package func look(at run: Run, _ figures: [RunFigures]) -> GuardedRun {
        GuardedRun(
            run: run, figures: figures.first ?? RunFigures(), earlier: Array(figures.dropFirst()),
            settings: settings, hasSecret: hasSecret)
    }
}

/// A run as the guards see it.
package struct GuardedRun: Sendable {
    let run: Run
    let figures: RunFigures
    /// Of the last published runs over everything, the newest first.
    let earlier: [RunFigures]
    let settings: GuardSettings
    let hasSecret: @Sendable (BundleID) -> Bool

    /// The reasons that show before the first request.
    package var implausibleSource: [HeldReason] { reasons(by: NightGuard.ofSource) }

    /// Everything that is implausible.
    package var implausible: [HeldReason] {
        reasons(by: NightGuard.ofSource + NightGuard.ofResult)
    }

    private func reasons(by guards: [NightGuard]) -> [HeldReason] {
        guards.flatMap { one in
            one.sentences(self).map {
                HeldReason(by: one.name.rawValue, flag: "--" + one.flag, reason: $0)
            }
        }
    }

    func count(_ name: RunFigures.Name) -> Int { Int(figures.value(name)) }
}

/// Why a run is held.
package struct HeldReason: Hashable, Sendable {
    /// The guard.
    package let by: String
    /// Sets the guard's threshold, or turns it off.
    package let flag: String
    /// A sentence with the numbers, and one with what to do.
    package let reason: String

    package init(by: String, flag: String, reason: String) {
        self.by = by
        self.flag = flag
        self.reason = reason
    }
}
