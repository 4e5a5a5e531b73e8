extension FindingKind {
    static let expiryMissing = FindingKind(
        "expiry_missing", .high, .leak, in: .mismatches, action: .shorten)
}

extension RowRule {
    static let expiryMissing = RowRule(
        .expiryMissing, of: .grantedRow,
        when: "both grant, the right has an end, and the stored row has none",
        cause: CauseTime.bought,
        matches: {
            $0.bothGrant && $0.row?.expiresAt == nil && $0.latestEnd != .distantFuture
        },
        sentence: {
            $0.sentence("the right has an end, and a grant without one never ends")
        })
}
