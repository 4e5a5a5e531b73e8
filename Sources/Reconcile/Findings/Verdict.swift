/// The verdict on one stored row, or on an owed right without a row.
enum Verdict {
    case consistent
    case found(RowRule)
    /// Not reported, with the kind of the finding it would have been.
    case postponed(NotReported.Bucket, FindingKind?, NotReported.Cause)

    var bucket: NotReported.Bucket? {
        if case .postponed(let bucket, _, _) = self { bucket } else { nil }
    }
}

extension EntitlementTally {
    init(_ verdicts: [Verdict]) {
        inScope = verdicts.count
        for verdict in verdicts {
            switch verdict {
            case .consistent: consistent += 1
            case .found: withFinding += 1
            case .postponed(.settling, _, _): settling += 1
            case .postponed(.unverified, _, _): unverified += 1
            case .postponed(.notJudged, _, _): notJudged += 1
            }
        }
    }
}
