extension FindingKind {
    static let expiryTooLate = FindingKind(
        "expiry_too_late", .medium, .leak, in: .mismatches, action: .shorten)
}

extension RowRule {
    static let expiryTooLate = RowRule(
        .expiryTooLate, of: .grantedRow,
        when: "both grant, and the stored expiry is later than the end of the right",
        cause: CauseTime.bought,
        matches: { rowCase in
            guard rowCase.bothGrant, let stored = rowCase.row?.expiresAt else { return false }
            return stored > rowCase.latestEnd + rowCase.user.settings.tolerance
        },
        sentence: { rowCase in
            rowCase.sentence(
                "the stored expiry is more than \(rowCase.user.settings.toleranceInWords) later"
                    + " than the latest end of the right, \(rowCase.latestEnd)")
        })
}
