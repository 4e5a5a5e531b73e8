/// What earlier runs left of one user: the user's part of the ledger, and what operators have
/// accepted. An earlier run is one that was published, over everything (SPEC §5).
package struct UserHistory: Hashable, Sendable {
    /// By finding id.
    package private(set) var entries: [String: LedgerEntry] = [:]
    /// Ids of accepted findings.
    package private(set) var accepted: Set<String> = []
    /// Refunds that earlier runs saw, by what a refund is known by from night to night.
    private(set) var refunds: [String: KnownRefund] = [:]
    /// Of what the last night keeps of the user's verdicts; nil: nothing.
    package var recordDigest: Int64?

    package init(_ entries: [LedgerEntry] = [], accepted: Set<String> = []) {
        self.accepted = accepted
        guard !entries.isEmpty else { return }
        self.entries = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        refunds = entries.refunds
    }

    /// Tonight's findings as the reports show them: with their lifecycle, without events that were
    /// told before, and with one amount a right. Which of the new ones were over before is found
    /// when the run is closed.
    package func reported(_ findings: [Finding], judgedAt asOf: Instant) -> [ReportedFinding] {
        var rows: [ReportedFinding] = []
        for finding in findings {
            var row = ReportedFinding(identifying: finding, judgedAt: asOf)
            if let entry = entries[row.id] {
                if finding.kind.isEvent { continue }
                row.lifecycle = .persisting
                row.firstSeen = entry.firstSeen
            }
            if accepted.contains(row.id) { row.lifecycle = .accepted }
            rows.append(row)
        }
        rows.price()
        return rows
    }

    var open: [LedgerEntry] { entries.values.filter { $0.state == .open } }
}
