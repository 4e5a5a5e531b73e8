/// From where on a run over everything is not believed (SPEC §7c). Nil turns a guard off.
package struct GuardSettings: Hashable, Sendable {
    /// Receipts and rows, in percent of the last published run's.
    package var leastOfLastRun: Double? = 50
    /// Of the receipts, in percent.
    package var mostUnusable: Double? = 20
    /// Of the rows, in percent.
    package var mostNotJudged: Double? = 50
    /// Rows with `source = app_store`.
    package var leastAppStoreRows: Int? = 1
    /// How long before `as_of` the newest receipt or row may have been stored.
    package var freshness: Duration? = .seconds(7 * 86_400)
    /// Receipts of one app that has no shared secret.
    package var mostWithoutSecret: Int? = 20
    /// Of a kind or of money, in multiples of the median of the last runs.
    package var mostOfMedian: Double? = 3

    /// Below so many rows nothing leaps.
    static let leastRowsOfLeap = 20
    /// Nor below this share of the receipts, in percent.
    static let leastShareOfLeap = 0.5
    /// So many published runs make a median, at least and at most.
    static let runsOfMedian = 3...7

    package init() {}

    /// What is kept with a run, for workers that join it: the thresholds in their order, durations
    /// in milliseconds, `off` for those that are.
    package var text: String {
        let numbers: [Double?] = [
            leastOfLastRun, mostUnusable, mostNotJudged, leastAppStoreRows.map(Double.init),
            freshness.map { Double($0.inMilliseconds) }, mostWithoutSecret.map(Double.init),
            mostOfMedian,
        ]
        return numbers.map { number in number.map { "\($0)" } ?? "off" }.joined(separator: " ")
    }

    /// The settings that `text` says; nil when it is of another release.
    package init?(text: String) {
        let words = text.split(separator: " ")
        let numbers = words.map { Double($0) }
        guard words.count == 7, zip(words, numbers).allSatisfy({ $0 == "off" || $1 != nil }) else {
            return nil
        }
        leastOfLastRun = numbers[0]
        mostUnusable = numbers[1]
        mostNotJudged = numbers[2]
        leastAppStoreRows = numbers[3].flatMap { Int(exactly: $0) }
        freshness = numbers[4].map { .milliseconds($0) }
        mostWithoutSecret = numbers[5].flatMap { Int(exactly: $0) }
        mostOfMedian = numbers[6]
    }

    /// Everything is believed.
    package static let off: GuardSettings = {
        var settings = GuardSettings()
        settings.leastOfLastRun = nil
        settings.mostUnusable = nil
        settings.mostNotJudged = nil
        settings.leastAppStoreRows = nil
        settings.freshness = nil
        settings.mostWithoutSecret = nil
        settings.mostOfMedian = nil
        return settings
    }()
}
