extension FindingKind {
    static let expiredStillGranted = FindingKind(
        "expired_still_granted", .high, .leak, in: .expirations, action: .revoke,
        money: .exposure)
}

extension RowRule {
    static let expiredStillGranted = RowRule(
        .expiredStillGranted, of: .grantedRow,
        when: "the row grants, and what gave the right has expired",
        cause: CauseTime.gone,
        matches: { $0.isGrantedByStore && $0.best?.state == .expired },
        event: Event(
            finding: { rowCase in
                guard let best = rowCase.best, let endsAt = best.endsAt else { return nil }
                return Finding(expiryOf: best, endedAt: endsAt, of: rowCase.user)
            },
            countsAsReported: true),
        sentence: { $0.sentence("access should have ended with it") })
}
