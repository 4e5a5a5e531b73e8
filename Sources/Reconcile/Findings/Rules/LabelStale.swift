extension FindingKind {
    static let labelStale = FindingKind(
        "label_stale", .low, .none, in: .mismatches, action: .relabel)
}

extension RowRule {
    static let labelStale = RowRule(
        .labelStale, of: .grantedRow,
        when: "both grant, and the stored auto_renew is another",
        cause: CauseTime.row,
        matches: { rowCase in
            guard rowCase.bothGrant, let stored = rowCase.row?.autoRenew,
                let shown = rowCase.best?.renewal?.willRenew
            else { return false }
            return stored != shown
        },
        sentence: { rowCase in
            let willRenew = rowCase.best?.renewal?.willRenew == true
            return "\(rowCase.best?.inWords ?? ""), and says that it"
                + " \(willRenew ? "will" : "will not") renew (auto_renew_status"
                + " \(willRenew ? 1 : 0)), but \(rowCase.serviceSide) and is stored as one that"
                + " \(willRenew ? "will not" : "will") renew."
        })
}
