/// What became of one stored row, or of a right that no row is about.
enum Verdict {
    case consistent
    case found(RowRule)
    /// In the bucket of a `NotReported`, with the kind it would have been.
    case putOff(NotReported.Bucket, FindingKind?, NotReported.Cause)

    /// The bucket of the controls.
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
