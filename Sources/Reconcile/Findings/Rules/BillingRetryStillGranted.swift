extension FindingKind {
    static let billingRetryStillGranted = FindingKind(
        "billing_retry_still_granted", .medium, .leak, in: .expirations, action: .revoke,
        money: .exposure)
}

extension RowRule {
    static let billingRetryStillGranted = RowRule(
        .billingRetryStillGranted, of: .grantedRow,
        when: "the row grants, and Apple cannot collect the renewal that would give it",
        cause: CauseTime.gone,
        matches: { $0.isGrantedByStore && $0.best?.state == .billingRetry },
        sentence: { $0.sentence("until Apple collects, nothing is paid for") })
}
