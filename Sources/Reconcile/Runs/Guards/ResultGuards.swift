extension GuardRule {
    static let unusable = GuardRule(.unusable, "guard-unusable") { night in
        let count = night.count(.unusable)
        let all = night.count(.receipts)
        guard let most = night.settings.maximumUnusable, all >= GuardSettings.leastDenominator,
            Double(count) * 100 > most * Double(all)
        else { return [] }
        return [
            "\(count.grouped) of \(all.grouped) receipts are unusable, over \(most.brief) %: the"
                + " stored data is not a receipt. Check receipt_data in reconcile.stored_receipts;"
                + " for a jsonb column select receipt_data ->> 'the member', not ::text."
        ]
    }

    static let notJudged = GuardRule(.notJudged, "guard-not-judged") { night in
        let count = night.count(.notJudged)
        let all = night.count(.entitlements)
        guard let most = night.settings.maximumNotJudged, all >= GuardSettings.leastDenominator,
            Double(count) * 100 > most * Double(all)
        else { return [] }
        return [
            "\(count.grouped) of \(all.grouped) rows were not judged, over \(most.brief) %."
                + " not_reported.csv has the cause of each. Usual causes: a source that the view"
                + " does not map, or products that are missing from the catalogue."
        ]
    }

    static let leap = GuardRule(.leap, "guard-leap") { night in
        guard let most = night.settings.maximumOfMedian,
            night.earlier.count >= GuardSettings.runsOfMedian.lowerBound
        else { return [] }
        return night.leaps(in: .findings, rows: .findings, most)
            + night.leaps(
                in: .amount, rows: .rowsWithAmount, most)
    }
}

extension GuardCase {
    /// - Parameter rows: the figure with the number of rows per subject.
    fileprivate func leaps(
        in name: Figures.Name, rows: Figures.Name, _ most: Double
    ) -> [String] {
        let leastRows = max(
            Double(GuardSettings.rowsIgnoredByLeap),
            figures.value(.receipts) * GuardSettings.shareIgnoredByLeap / 100)
        return figures.all(name).compactMap { subject, value in
            let median = earlier.map { $0.value(name, of: subject) }.median
            guard value > most * median, figures.value(rows, of: subject) > leastRows else {
                return nil
            }
            let what = name == .amount ? "The estimate of \(subject)" : "\(subject)"
            return "\(what) is \(value.amount), over \(most.brief) times the median of the"
                + " last \(earlier.count) runs, \(median.amount). Check its rows before"
                + " acting on them; prices, sources or a view may have changed."
        }
    }
}

extension [Double] {
    /// The mean of the two middle values for an even count; 0 for none.
    fileprivate var median: Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
