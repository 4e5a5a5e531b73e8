/// What a tie-out compares: which apps, and how near is near enough.
package struct TieOutScope: Sendable {
    package var tolerance = Tolerance.usual
    /// The apps by their SKUs in App Store Connect; empty: everything.
    package var apps: [AppSKU: BundleID] = [:]

    package init() {}

    /// Days are listed one by one where they are missing.
    package static let mostDays = 3_660

    package static func isTooLong(_ range: PacificDays) -> Bool {
        range.last.milliseconds - range.first.milliseconds
            >= Int64(mostDays) * Instant.millisecondsPerDay
    }
}
