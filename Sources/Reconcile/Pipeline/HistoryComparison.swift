/// Tonight's findings of a user beside what earlier runs left: which are new, which are back, which
/// events were told before, and which open findings are no longer true (SPEC §5).
struct HistoryComparison {
    private let history: BatchHistory
    private let judge: Judge
    private var raised: Set<String> = []
    private(set) var cleared: [ReportedFinding] = []
    /// News for later runs; nothing where everything is as it was.
    private(set) var changes: [FindingChange] = []
    private(set) var cancellations: [Cancellation] = []

    /// - Parameter history: of the user, and perhaps of others.
    init(_ history: BatchHistory, judge: Judge) {
        self.history = history
        self.judge = judge
    }

    /// The rows that the reports show of one user's judgement.
    mutating func reported(_ judgement: Judgement, of user: UserID) -> [ReportedFinding] {
        var rows: [ReportedFinding] = []
        for finding in judgement.findings {
            if let row = reported(finding, of: user) { rows.append(row) }
        }
        for expiry in judgement.explainedExpiries { tell(identified(expiry).id, of: user) }
        cancellations += judgement.cancellations
        rows.price()
        return rows
    }

    /// The open findings of `user` that tonight's judgement did not raise.
    func missing(of user: UserID) -> [PastFinding] {
        (history.open[user] ?? []).filter { !raised.contains($0) }
            .compactMap { history.findings[$0] }
    }

    /// Decides for each missing finding whether it is cleared, or stays open since it could not be
    /// judged.
    mutating func settle(
        _ missing: [ReportedFinding], evidence: UserEvidence, history: UserHistory,
        unreadableRows: Set<EntitlementID>
    ) {
        guard !missing.isEmpty else { return }
        let second = Reexamination(
            evidence, history: history, unreadableRows: unreadableRows, by: judge)
        for finding in missing { settle(finding, isCleared: second.clears(finding.finding)) }
    }

    private mutating func settle(_ open: ReportedFinding, isCleared: Bool) {
        guard var past = history.findings[open.id] else { return }
        if isCleared {
            cleared.append(open)
            (past.change, past.lastReported) = (.cleared, nil)
        } else {
            guard past.change != .held else { return }
            past.change = .held
        }
        changes.append(FindingChange(user: open.finding.user, finding: past))
    }

    /// Nil for an event that an earlier run has told.
    private mutating func reported(_ finding: Finding, of user: UserID) -> ReportedFinding? {
        var row = identified(finding)
        raised.insert(row.id)
        if finding.kind == .expired { return tell(row.id, of: user) ? row : nil }
        guard !FindingKind.events.contains(finding.kind) else { return row }
        let past = history.findings[row.id]
        if let past {
            row.lifecycle = past.lifecycle
            row.firstSeen = past.firstSeen ?? row.firstSeen
        }
        if past?.change != .reported {
            let change = PastFinding(id: row.id, change: .reported, firstSeen: row.firstSeen)
            changes.append(FindingChange(user: user, finding: change))
        }
        if history.accepted.contains(row.id) { row.lifecycle = .accepted }
        return row
    }

    /// Notes that an event is told now; false when an earlier run did so.
    @discardableResult
    private mutating func tell(_ id: String, of user: UserID) -> Bool {
        guard history.findings[id] == nil else { return false }
        let told = PastFinding(id: id, change: .told)
        changes.append(FindingChange(user: user, finding: told))
        return true
    }

    private func identified(_ finding: Finding) -> ReportedFinding {
        ReportedFinding(identifying: finding, judgedAt: judge.settings.asOf)
    }
}
