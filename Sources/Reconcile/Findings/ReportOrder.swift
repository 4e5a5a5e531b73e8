extension ReportedFinding {
    /// Whether this row stands before `other` in the reports: by severity, kind, user, entitlement,
    /// chain, transaction and receipt, as UTF-8 bytes, nothing before something (SPEC §6).
    package func comesBefore(_ other: ReportedFinding) -> Bool {
        guard finding.severity == other.finding.severity else {
            return finding.severity.rank < other.finding.severity.rank
        }
        for (own, others) in zip(names, other.names) where !own.hasSameBytes(as: others) {
            return own.utf8.lexicographicallyPrecedes(others.utf8)
        }
        return false
    }

    private var names: [String] {
        [
            finding.kind.rawValue, finding.user?.text ?? "", finding.entitlement?.text ?? "",
            finding.originalTransaction?.text ?? "", finding.transaction?.text ?? "",
            finding.receipt?.text ?? "", id,
        ]
    }
}
