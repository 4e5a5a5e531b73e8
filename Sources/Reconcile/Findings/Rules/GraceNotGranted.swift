extension FindingKind {
    static let graceNotGranted = FindingKind(
        "grace_not_granted", .high, .owed, in: .mismatches, action: .restore, money: .exposure)
}

extension RowRule {
    static let graceNotGranted = RowRule(
        .graceNotGranted, of: .owedRight,
        when: "a grace period gives the right, and no row grants it",
        cause: CauseTime.expiry,
        matches: { $0.isOwedByPurchase && $0.best?.state == .grace },
        sentence: {
            $0.sentence("access continues during a grace period, and \(RowCase.uncovered)")
        })
}
