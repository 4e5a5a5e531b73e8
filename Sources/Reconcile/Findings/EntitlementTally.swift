/// Stored entitlements in scope, each in exactly one bucket.
package struct EntitlementTally: Hashable, Sendable {
    package var inScope = 0
    package var consistent = 0
    package var withFinding = 0
    package var settling = 0
    package var unverified = 0
    package var notJudged = 0

    package init() {}

    /// All buckets together: as many as are in scope, when all is well.
    package var buckets: Int { consistent + withFinding + settling + unverified + notJudged }

    package var isBalanced: Bool { inScope == buckets }

    /// In a bucket of its own and in no report of findings: a line of `not_reported.csv` each.
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
