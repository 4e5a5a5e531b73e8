extension FindingKind {
    static let familyRevokedStillGranted = FindingKind(
        "family_revoked_still_granted", .high, .leak, in: .refunds, action: .revoke,
        money: .exposure)
}

extension RowRule {
    static let familyRevokedStillGranted = RowRule(
        .familyRevokedStillGranted, of: .grantedRow,
        when: "the row grants, and the family sharing that gave the right was withdrawn",
        cause: CauseTime.end,
        needsOnlyTheAnswer: \.namesWhatWasCancelled,
        matches: { $0.isGrantedByStore && $0.best?.state == .familyRevoked },
        sentence: { $0.sentence("without the share this user has no right to it") })
}
