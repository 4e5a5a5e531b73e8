extension FindingKind {
    static let expiryTooEarly = FindingKind(
        "expiry_too_early", .medium, .owed, in: .mismatches, action: .extend,
        isFoundOffline: true)
}

extension RowRule {
    static let expiryTooEarly = RowRule(
        .expiryTooEarly, of: .grantedRow,
        when: "both grant, and the stored expiry is earlier than the end of the right",
        cause: CauseTime.bought,
        matches: { rowCase in
            guard rowCase.bothGrant, let stored = rowCase.row?.expiresAt else { return false }
            return rowCase.isTooEarly(stored)
        },
        isUndoneOffline: { rowCase in
            rowCase.bothGrant && !(rowCase.row?.expiresAt.map(rowCase.isTooEarly) ?? false)
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

extension RowCase {
    fileprivate func isTooEarly(_ stored: Instant) -> Bool {
        guard let best else { return false }
        return stored < best.lastInstant - user.settings.tolerance
    }
}
