/// The verdicts of `RowRules` on a user's rows, and on owed rights without a row.
struct RowVerdicts {
    let user: UserCase
    /// In the order of the stored rows.
    let rows: [(rowCase: RowCase, verdict: RowVerdict)]
    /// `rows`, and then the rights without one.
    let all: [(rowCase: RowCase, verdict: RowVerdict)]
    /// Rights that would be owed if no row of the user were unreadable: it may grant them.
    private let hidden: [(rowCase: RowCase, verdict: RowVerdict)]

    init(_ user: UserCase) {
        self.user = user
        var cases = user.evidence.entitlements.map { RowCase($0, of: user) }
        var others: [RowCase] = []
        var hidden: [(rowCase: RowCase, verdict: RowVerdict)] = []
        for owed in user.owedRights(beside: cases) {
            let isInFlux = user.judgedRows(of: owed.right).contains(where: user.isInFlux)
            guard !isInFlux else { continue }
            let row = user.row(for: owed)
            let rowCase = RowCase(owed, on: row, of: user)
            if user.hasUnreadableRow {
                hidden.append((rowCase, rowCase.verdict()))
            } else if let index = cases.firstIndex(where: { row != nil && $0.row?.id == row?.id }) {
                cases[index] = rowCase
            } else {
                others.append(rowCase)
            }
        }
        rows = cases.map { ($0, $0.verdict()) }
        all = others.isEmpty ? rows : rows + others.map { ($0, $0.verdict()) }
        self.hidden = hidden
    }

    var tally: Tally<EntitlementBucket> {
        rows.reduce(into: Tally()) { tally, row in tally.add(to: row.verdict.bucket) }
    }

    var findings: [Finding] {
        all.compactMap { rowCase, verdict in
            guard case .found(let rule) = verdict else { return nil }
            var finding = Finding(rule, on: rowCase)
            finding.estimate = Estimate(of: finding, rowCase)
            return finding
        }
    }

    var accuseWithoutPurchase: Bool {
        rows.contains { rowCase, verdict in
            guard rowCase.best == nil, verdict.kind?.direction == .leak else { return false }
            switch verdict {
            case .found, .notReported(.settling, _, _): return true
            case .consistent, .notReported: return false
            }
        }
    }

    var notReported: [NotReported] {
        rows.compactMap { rowCase, verdict in
            guard case .notReported(let bucket, let kind, let cause) = verdict else { return nil }
            return NotReported(
                entitlement: rowCase.row?.id, bucket: bucket, kind: kind, cause: cause)
        }
    }

    /// What could not be judged, or is hidden by a row that cannot be read.
    var unreportedFindings: [FindingIdentity] {
        (all + hidden).compactMap { rowCase, verdict in
            guard let kind = verdict.kind else { return nil }
            return FindingIdentity(
                kind: kind, user: user.evidence.user, entitlement: rowCase.row?.id,
                reference: rowCase.row == nil ? rowCase.right.reference : "")
        }
    }

    var mentionedEvents: [(event: Finding, countsAsReported: Bool)] {
        all.compactMap { rowCase, verdict in
            guard case .found(let rule) = verdict, let event = rule.event,
                let finding = event.finding(rowCase)
            else { return nil }
            return (finding, event.countsAsReported)
        }
    }
}
