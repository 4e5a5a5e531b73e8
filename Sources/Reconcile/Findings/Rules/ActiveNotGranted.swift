extension FindingKind {
    /// A subscription is paid for, and no access is granted.
    static let activeNotGranted = FindingKind(
        "active_not_granted", .critical, .owed, in: .mismatches, action: .restore,
        money: .exposure, isFoundOffline: true)
}

extension RowRule {
    static let activeNotGranted = RowRule(
        .activeNotGranted, of: .owedRight, cause: Cause.bought,
        matches: {
            $0.isOwedByPurchase && $0.best?.state == .active && $0.best?.kind == .autoRenewable
        },
        sentence: { $0.sentence("the user has a right to it, and \(RowCase.uncovered)") })
}

extension RowCase {
    /// A purchase gives the right, and not only the original version of the app.
    var isOwedByPurchase: Bool { owed.map { !$0.isForPaidApp } ?? false }

    static let uncovered = "no other entitlement of the user covers it"
}
