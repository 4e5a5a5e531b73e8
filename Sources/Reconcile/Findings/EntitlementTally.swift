struct EntitlementTally: Hashable, Sendable {
    var inScope = 0
    var consistent = 0
    var withFinding = 0
    var settling = 0
    var unverified = 0
    var notJudged = 0

    init() {}

    var buckets: Int { consistent + withFinding + settling + unverified + notJudged }

    var isBalanced: Bool { inScope == buckets }

    /// The number of lines in `not_reported.csv`.
    var notReported: Int { settling + unverified + notJudged }

    static func += (tally: inout Self, other: Self) {
        tally.inScope += other.inScope
        tally.consistent += other.consistent
        tally.withFinding += other.withFinding
        tally.settling += other.settling
        tally.unverified += other.unverified
        tally.notJudged += other.notJudged
    }
}

extension EntitlementTally {
    init(_ verdicts: [RowVerdict]) {
        inScope = verdicts.count
        for verdict in verdicts {
            switch verdict {
            case .consistent: consistent += 1
            case .found: withFinding += 1
            case .notReported(.settling, _, _): settling += 1
            case .notReported(.unverified, _, _): unverified += 1
            case .notReported(.notJudged, _, _): notJudged += 1
            }
        }
    }
}
