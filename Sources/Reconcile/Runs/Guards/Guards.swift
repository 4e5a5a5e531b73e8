/// The guard thresholds and what the guards need to know of the configuration.
package struct Guards: Sendable {
    let settings: GuardSettings
    let hasSecret: @Sendable (BundleID) -> Bool

    package init(
        _ settings: GuardSettings, hasSecret: @escaping @Sendable (BundleID) -> Bool = { _ in true }
    ) {
        self.settings = settings
        self.hasSecret = hasSecret
    }

    /// The guards with the thresholds of another process (`GuardSettings.text`), if it stored any.
    func adopting(_ text: String?) -> Guards {
        guard let settings = text.flatMap(GuardSettings.init) else { return self }
        return Guards(settings, hasSecret: hasSecret)
    }

    static let off = Guards(.off)

    /// - Parameter figures: of `run`, then of the last published nightly runs, newest first.
    package func look(at run: Run, _ figures: [Figures]) -> GuardCase {
        GuardCase(
            run: run, figures: figures.first ?? Figures(), earlier: Array(figures.dropFirst()),
            settings: settings, hasSecret: hasSecret)
    }
}

package struct GuardCase: Sendable {
    let run: Run
    let figures: Figures
    let earlier: [Figures]
    let settings: GuardSettings
    let hasSecret: @Sendable (BundleID) -> Bool

    package var implausibleViews: [HeldReason] { reasons(by: GuardRule.ofViews) }

    var implausible: [HeldReason] {
        reasons(by: GuardRule.ofViews + GuardRule.ofResult)
    }

    private func reasons(by guards: [GuardRule]) -> [HeldReason] {
        guards.flatMap { one in
            one.sentences(self).map {
                HeldReason(by: one.name.rawValue, flag: "--" + one.flag, reason: $0)
            }
        }
    }

    func count(_ name: Figures.Name) -> Int { Int(figures.value(name)) }
}

package struct HeldReason: Hashable, Sendable {
    package let by: String
    /// The flag that sets the threshold, with its dashes; nil for a guard without one.
    package let flag: String?
    package let reason: String

    /// The reason, and the flag in parentheses.
    package var sentence: String { flag.map { "\(reason) (\($0))" } ?? reason }
}
