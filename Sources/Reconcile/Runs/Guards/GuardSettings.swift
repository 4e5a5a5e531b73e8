/// Thresholds beyond which a run over everything is implausible and held. Nil turns a guard off.
package struct GuardSettings: Hashable, Sendable {
    /// The minimum of receipts and rows, in percent of the last published run's.
    package var minimumShareOfLastRun: Double? = 50
    /// In percent of the receipts.
    package var maximumUnusable: Double? = 20
    /// In percent of the rows.
    package var maximumNotJudged: Double? = 50
    /// Rows with `source = app_store`.
    package var minimumAppStoreRows: Int? = 1
    /// The maximum age of the newest receipt or row at `as_of`.
    package var freshness: Duration? = .seconds(7 * 86_400)
    /// Receipts of one app without a shared secret.
    package var maximumWithoutSecret: Int? = 20
    /// The maximum of findings of a kind, or money, as a multiple of the median of the last runs.
    package var maximumOfMedian: Double? = 3

    /// A share counts only if it is a share of at least this many: one of four says nothing.
    static let leastDenominator = 20
    /// Kinds and amounts with this many rows or fewer pass the `leap` guard.
    static let rowsIgnoredByLeap = 20
    /// Rows in percent of the receipts, up to which a kind or amount passes the `leap` guard.
    static let shareIgnoredByLeap = 0.5
    /// The number of published runs in a median, at least and at most.
    static let runsOfMedian = 3...7

    package init() {}

    /// The text stored with a run for workers that join it: the thresholds in order, durations in
    /// milliseconds, `off` for nil.
    package var text: String {
        let numbers: [Double?] = [
            minimumShareOfLastRun, maximumUnusable, maximumNotJudged,
            minimumAppStoreRows.map(Double.init),
            freshness.map { Double($0.inMilliseconds) }, maximumWithoutSecret.map(Double.init),
            maximumOfMedian,
        ]
        return numbers.map { number in number.map { "\($0)" } ?? "off" }.joined(separator: " ")
    }

    /// Nil when another release wrote the text.
    init?(text: String) {
        let words = text.split(separator: " ")
        let numbers = words.map { Double($0) }
        guard words.count == 7, zip(words, numbers).allSatisfy({ $0 == "off" || $1 != nil }) else {
            return nil
        }
        minimumShareOfLastRun = numbers[0]
        maximumUnusable = numbers[1]
        maximumNotJudged = numbers[2]
        minimumAppStoreRows = numbers[3].flatMap { Int(exactly: $0) }
        freshness = numbers[4].map { .milliseconds($0) }
        maximumWithoutSecret = numbers[5].flatMap { Int(exactly: $0) }
        maximumOfMedian = numbers[6]
    }

    package static let off: GuardSettings = {
        var settings = GuardSettings()
        settings.minimumShareOfLastRun = nil
        settings.maximumUnusable = nil
        settings.maximumNotJudged = nil
        settings.minimumAppStoreRows = nil
        settings.freshness = nil
        settings.maximumWithoutSecret = nil
        settings.maximumOfMedian = nil
        return settings
    }()
}
