/// The verdict on one stored row, or on an owed right without a row.
enum Verdict {
    case consistent
    case found(RowRule)
    /// Not reported, with the kind of the finding it would have been.
    case putOff(NotReported.Bucket, FindingKind?, NotReported.Cause)

    var bucket: NotReported.Bucket? {
        if case .putOff(let bucket, _, _) = self { bucket } else { nil }
    }
}

extension EntitlementTally {
    init(_ verdicts: [Verdict]) {
        inScope = verdicts.count
        for verdict in verdicts {
            switch verdict {
            case .consistent: consistent += 1
            case .found: withFinding += 1
            case .putOff(.settling, _, _): settling += 1
            case .putOff(.unverified, _, _): unverified += 1
            case .putOff(.notJudged, _, _): notJudged += 1
            }
        }
    }
}
