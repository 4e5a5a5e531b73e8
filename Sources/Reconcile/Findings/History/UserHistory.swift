/// One user's history in published runs over everything.
struct UserHistory: Hashable, Sendable {
    private(set) var entries: [String: LedgerEntry] = [:]
    private(set) var accepted: Set<String> = []
    /// Refunds seen by earlier runs, by `refundReference`.
    private(set) var refunds: [String: KnownRefund] = [:]
    /// The digest of the user's `JudgedRecord` in the last run; nil without one.
    var recordDigest: Int64?
    /// Purchases by which runs of the last 30 days judged, and which still run. Read only for a
    /// user whose judgement `mayForgetPurchase`.
    var runningPurchases: [KnownPurchase] = []

    init(_ entries: [LedgerEntry] = [], accepted: Set<String> = []) {
        self.accepted = accepted
        guard !entries.isEmpty else { return }
        self.entries = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        refunds = entries.refunds
    }

    /// Adds lifecycles, leaves out events reported earlier, and shows one amount per right. Closing
    /// the run decides which new findings are reopened.
    func reported(_ findings: [Finding], judgedAt asOf: Instant) -> [ReportedFinding] {
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
