/// The verdict on one stored row, or on an owed right without a row.
enum Verdict {
    case consistent
    case found(RowRule)
    /// Not reported, with the kind of the finding it would have been.
    case notReported(NotReported.Bucket, FindingKind?, NotReported.Cause)

    /// Of the finding that it is, or would have been.
    var kind: FindingKind? {
        switch self {
        case .consistent: nil
        case .found(let rule): rule.kind
        case .notReported(_, let kind, _): kind
        }
    }
}

extension EntitlementTally {
    init(_ verdicts: [Verdict]) {
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
