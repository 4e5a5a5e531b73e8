/// How long ago the cause of a finding was: whole days from its `event_at` to `as_of`. Raw values
/// are in the column `age` of `totals`, and keys in `summary.json`.
enum Age: String, Hashable, Sendable, CaseIterable {
    case under30 = "under_30_days"
    case under90 = "30_to_90_days"
    case upTo365 = "90_to_365_days"
    case over365 = "over_365_days"

    /// Nil for an event, which is no debt, and when it is unknown since when. Counts in whole
    /// seconds, as reports print instants, so that a reader gets the same.
    init?(of finding: Finding, asOf: Instant) {
        guard !finding.kind.isEvent, let cause = finding.eventAt, cause.isFinite else { return nil }
        let (seconds, overflows) = asOf.wholeSeconds
            .subtractingReportingOverflow(cause.wholeSeconds)
        let days = overflows ? Int64.max : max(0, seconds) / 86_400
        switch days {
        case ..<30: self = .under30
        case ..<90: self = .under90
        case ...365: self = .upTo365
        default: self = .over365
        }
    }

    var title: String {
        switch self {
        case .under30: "under 30 days"
        case .under90: "30 to 90 days"
        case .upTo365: "90 to 365 days"
        case .over365: "over 365 days"
        }
    }
}

extension Instant {
    /// Seconds since 1970, rounded down.
    fileprivate var wholeSeconds: Int64 {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return rest < 0 ? whole - 1 : whole
    }
}
