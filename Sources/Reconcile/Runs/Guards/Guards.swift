/// The guard thresholds and what the guards need to know of the configuration.
package struct Guards: Sendable {
    let settings: GuardSettings
    let lacksSecret: @Sendable (BundleID) -> Bool

    /// - Parameter lacksSecret: whether verifyReceipt is asked about an app's receipts, without a
    ///   shared secret.
    package init(
        _ settings: GuardSettings,
        lacksSecret: @escaping @Sendable (BundleID) -> Bool = { _ in false }
    ) {
        self.settings = settings
        self.lacksSecret = lacksSecret
    }

    /// The guards with the thresholds of another process (`GuardSettings.text`), if it stored any.
    func adopting(_ text: String?) -> Guards {
        guard let settings = text.flatMap(GuardSettings.init) else { return self }
        return Guards(settings, lacksSecret: lacksSecret)
    }

    static let off = Guards(.off)

    /// - Parameter figures: of `run`, then of the last published nightly runs that it is compared
    ///   with, newest first.
    package func judging(_ run: Run, by figures: [Figures]) -> GuardCase {
        GuardCase(
            run: run, figures: figures.first ?? Figures(), earlier: Array(figures.dropFirst()),
            settings: settings, lacksSecret: lacksSecret)
    }
}

package struct GuardCase: Sendable {
    let run: Run
    let figures: Figures
    let earlier: [Figures]
    let settings: GuardSettings
    let lacksSecret: @Sendable (BundleID) -> Bool

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
