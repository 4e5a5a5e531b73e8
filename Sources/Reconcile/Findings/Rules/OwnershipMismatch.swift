extension FindingKind {
    static let ownershipMismatch = FindingKind(
        "ownership_mismatch", .medium, .none, in: .mismatches, action: .relabel)
}

extension RowRule {
    static let ownershipMismatch = RowRule(
        .ownershipMismatch, of: .grantedRow,
        when: "both grant, and the stored ownership is another",
        cause: CauseTime.never,
        matches: { rowCase in
            guard rowCase.bothGrant, let stored = rowCase.row?.ownership,
                let shown = rowCase.best?.covering.ownership
            else { return false }
            return stored != shown
        },
        sentence: { rowCase in
            let shown = rowCase.best?.covering.ownership?.rawValue ?? ""
            return "\(rowCase.best?.inWords ?? ""), with the ownership \(shown), but"
                + " \(rowCase.serviceSide) with the ownership"
                + " \(rowCase.row?.ownership?.rawValue ?? ""): both are known, and they differ."
        })
}
