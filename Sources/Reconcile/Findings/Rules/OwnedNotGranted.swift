extension FindingKind {
    static let ownedNotGranted = FindingKind(
        "owned_not_granted", .critical, .owed, in: .mismatches, action: .restore,
        money: .exposure, isFoundOffline: true)
}

extension RowRule {
    static let ownedNotGranted = RowRule(
        .ownedNotGranted, of: .owedRight,
        when: "an owned product gives the right, and no row grants it",
        cause: CauseTime.bought,
        matches: {
            $0.isOwedByPurchase && $0.best?.state == .active && $0.best?.kind != .autoRenewable
        },
        sentence: { $0.sentence("the user has a right to it, and \(RowCase.uncovered)") })
}
