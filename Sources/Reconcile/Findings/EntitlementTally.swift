/// Counts of the stored entitlements in scope, each in exactly one bucket.
package struct EntitlementTally: Hashable, Sendable {
    package var inScope = 0
    package var consistent = 0
    package var withFinding = 0
    package var settling = 0
    package var unverified = 0
    package var notJudged = 0

    package init() {}

    /// The sum of all buckets; must equal `inScope`.
    package var buckets: Int { consistent + withFinding + settling + unverified + notJudged }

    package var isBalanced: Bool { inScope == buckets }

    /// The number of lines in `not_reported.csv`.
    package var notReported: Int { settling + unverified + notJudged }

    package static func += (tally: inout Self, other: Self) {
        tally.inScope += other.inScope
        tally.consistent += other.consistent
        tally.withFinding += other.withFinding
        tally.settling += other.settling
        tally.unverified += other.unverified
        tally.notJudged += other.notJudged
    }
}
