package enum FindingDifference: Sendable {
    case added(ReportedFinding)
    case gone(ReportedFinding)
    case changed(ReportedFinding, [ColumnChange])

    /// A column's values as a report prints them; empty for nil.
    package struct ColumnChange: Hashable, Sendable {
        let name: String
        let old: String
        let new: String
    }

    var finding: ReportedFinding {
        switch self {
        case .added(let finding), .gone(let finding), .changed(let finding, _): finding
        }
    }

    /// Nil when there is no difference.
    /// - Parameter all: includes events, and columns that change every day.
    init?(_ old: ReportedFinding?, _ new: ReportedFinding?, all: Bool) {
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

    /// Columns that change although nothing happened: they count days or describe the run.
    private static let moving: Set = [
        "lifecycle", "first_seen", "exposure_days", "estimated_amount", "explanation",
        "evidence_sha256",
    ]

    private static func columns(_ all: Bool) -> [FindingColumn] {
        FindingColumn.reported.filter { column in
            column.scope != .reportsOnly && (all || !moving.contains(column.name))
        }
    }
}

extension FindingDifference.ColumnChange {
    fileprivate init?(_ column: FindingColumn, _ old: ReportedFinding, _ new: ReportedFinding) {
        let run = RowStamp(id: "", asOf: .distantPast, scope: nil)
        let before = column.value(old, run).plainText
        let after = column.value(new, run).plainText
        guard before != after else { return nil }
        self.init(name: column.name, old: before, new: after)
    }
}
