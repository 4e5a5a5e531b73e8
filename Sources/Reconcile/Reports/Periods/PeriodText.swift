/// A period in sentences.
package enum PeriodText {
    /// What the page, the terminal and the workbook begin with.
    static func sentence(_ summary: PeriodSummary) -> String {
        let period = summary.period
        let so = summary.isOpen ? " so far" : ""
        let count = summary.refundCount
        let what = (count == 0 ? "no" : count.grouped) + (count == 1 ? " purchase" : " purchases")
        let app = period.app.map { " of \($0.text)" } ?? ""
        let money = listed(summary.refunded)
        let price = money.isEmpty ? "" : ", \(money) \(basis(summary.events.bases))"
        return "\(period.beginning)\(so) Apple refunded \(what)\(app)\(price); the leak went from"
            + " \(leak(summary.opening)) to \(leak(summary.closing))."
    }

    /// For the terminal: the sentence, and where the folder is.
    package static func lines(_ summary: PeriodSummary, folder: String) -> [String] {
        sentence(summary).wrapped(to: 100) + ["", "Folder: \(folder)"]
    }

    /// What keeps the period from being whole, in sentences.
    package static func reservations(_ summary: PeriodSummary) -> [String] {
        var sentences: [String] = []
        if summary.opening == nil {
            sentences.append(
                "No run is before the period, so what stood then is not known: it is among what is"
                    + " new.")
        }
        let days = summary.daysWithoutRun
        if let first = days.first, let last = days.last {
            let which = first == last ? first.dayText : "\(first.dayText) to \(last.dayText)"
            sentences.append(
                "No run is as of \(days.count.grouped) of its \(summary.period.days.count.grouped)"
                    + " days (\(which)): what came and went between two runs is not in it.")
        }
        return sentences
    }

    static func leak(_ standing: PeriodSummary.Standing?) -> String {
        let leak = listed((standing?.money.amounts(.leak) ?? []).filter { $0.minorUnits != 0 })
        return leak.isEmpty ? "nothing" : leak
    }

    /// `3,001 JPY and 2,705.29 USD`.
    static func listed(_ amounts: [Money]) -> String {
        let parts = amounts.map { "\($0.grouped) \($0.currency.code)" }
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }

    private static func basis(_ bases: Set<AmountBasis>) -> String {
        guard bases.contains(.recordedPrice) else { return "at list price" }
        return bases.contains(.listPrice) ? "at recorded and list prices" : "at recorded prices"
    }
}
