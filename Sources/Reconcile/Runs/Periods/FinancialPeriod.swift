/// Days that finance closes, of all apps or of one.
package struct FinancialPeriod: Hashable, Sendable {
    package let days: PacificDays
    package let app: BundleID?

    package init(_ days: PacificDays, of app: BundleID? = nil) {
        self.days = days
        self.app = app
    }

    /// How a sentence about it begins.
    var beginning: String {
        if let month = days.month { return "In \(month.name)" }
        if let month = days.fiscalMonth { return "In fiscal \(month.name)" }
        return "From \(days.firstText) to \(days.lastText)"
    }

    /// `October 2026`, `Fiscal November 2026` or `2026-10-01 to 2026-10-07`.
    var title: String {
        if let month = days.month { return month.name }
        if let month = days.fiscalMonth { return "Fiscal \(month.name)" }
        return "\(days.firstText) to \(days.lastText)"
    }
}
