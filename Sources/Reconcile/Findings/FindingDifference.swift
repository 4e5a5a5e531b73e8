/// How one finding differs between two runs.
package enum FindingDifference: Sendable {
    case added(ReportedFinding)
    case gone(ReportedFinding)
    /// Both have it, with other values.
    case changed(ReportedFinding, [ColumnChange])

    /// A column's value before and after, as a report prints it; empty for none.
    package struct ColumnChange: Hashable, Sendable {
        package let name: String
        package let old: String
        package let new: String
    }

    package var finding: ReportedFinding {
        switch self {
        case .added(let finding), .gone(let finding), .changed(let finding, _): finding
        }
    }

    /// What is different of a finding that one of the runs has, or both.
    /// - Parameter all: events count, and columns that move by themselves.
    /// - Returns: nil when nothing is.
    package init?(_ old: ReportedFinding?, _ new: ReportedFinding?, all: Bool) {
        guard let either = new ?? old, all || !either.finding.kind.isEvent else { return nil }
        guard let old else {
            self = .added(either)
            return
        }
        guard let new else {
            self = .gone(old)
            return
        }
        let changes = Self.columns(all).compactMap { column in
            ColumnChange(column, old, new)
        }
        guard !changes.isEmpty else { return nil }
        self = .changed(new, changes)
    }

    /// Columns that are another from night to night although nothing has happened: they count the
    /// days, or tell of the run.
    private static let moving: Set = [
        "lifecycle", "first_seen", "exposure_days", "estimated_amount", "explanation",
        "evidence_sha256",
    ]

    private static func columns(_ all: Bool) -> [FindingColumn] {
        FindingColumn.reported.filter { column in
            column.place != .reportsOnly && (all || !moving.contains(column.name))
        }
    }
}

extension FindingDifference.ColumnChange {
    /// Nil when both have the same value.
    fileprivate init?(_ column: FindingColumn, _ old: ReportedFinding, _ new: ReportedFinding) {
        let run = ReportingRun(id: "", asOf: .distantPast, scope: nil)
        let before = column.value(old, run).plainText
        let after = column.value(new, run).plainText
        guard before != after else { return nil }
        self.init(name: column.name, old: before, new: after)
    }
}
