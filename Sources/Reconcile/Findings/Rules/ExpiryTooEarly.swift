extension FindingKind {
    /// The row ends before what was paid for does.
    static let expiryTooEarly = FindingKind(
        "expiry_too_early", .medium, .owed, in: .mismatches, action: .extend,
        isFoundOffline: true)
}

extension RowRule {
    static let expiryTooEarly = RowRule(
        .expiryTooEarly, of: .grantedRow, cause: Cause.bought,
        matches: { rowCase in
            guard rowCase.bothGrant, let stored = rowCase.row?.expiresAt, let best = rowCase.best
            else { return false }
            return stored < best.lastInstant - rowCase.user.settings.tolerance
        },
        sentence: { rowCase in
            guard rowCase.best?.lastInstant != .distantFuture else {
                return rowCase.sentence(
                    "the right has no end, and the stored expiry would end it")
            }
            return rowCase.sentence(
                "the stored expiry is more than \(rowCase.user.settings.toleranceInWords) earlier"
                    + " than the end of the right")
        })
}
