/// What became of a stored entitlement in a run. Names are those of the summary's controls.
enum EntitlementBucket: Int, CaseIterable, Sendable {
    case consistent, withFinding, settling, unverified, notJudged

    var name: String {
        switch self {
        case .consistent: "consistent"
        case .withFinding: "with_finding"
        case .settling: "settling"
        case .unverified: "unverified"
        case .notJudged: "not_judged"
        }
    }

    var label: String {
        switch self {
        case .withFinding: "with a finding"
        case .notJudged: "not judged"
        case .consistent, .settling, .unverified: name
        }
    }

    /// Listed in `not_reported.csv`.
    static let notReported: [EntitlementBucket] = [.settling, .unverified, .notJudged]
}

extension RowVerdict {
    var bucket: EntitlementBucket {
        switch self {
        case .consistent: .consistent
        case .found: .withFinding
        case .notReported(.settling, _, _): .settling
        case .notReported(.unverified, _, _): .unverified
        case .notReported(.notJudged, _, _): .notJudged
        }
    }
}

extension Tally<EntitlementBucket> {
    /// The number of lines in `not_reported.csv`.
    var notReported: Int { EntitlementBucket.notReported.reduce(0) { $0 + self[$1] } }
}
