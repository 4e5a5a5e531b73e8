extension FindingKind {
    static let refundedStillGranted = FindingKind(
        "refunded_still_granted", .critical, .leak, in: .refunds, action: .revoke,
        money: .exposure)
}

extension RowRule {
    static let refundedStillGranted = RowRule(
        .refundedStillGranted, of: .grantedRow,
        when: "the row grants, and Apple has refunded what gave the right",
        cause: CauseTime.end,
        needsOnlyTheAnswer: \.namesWhatWasCancelled,
        matches: { $0.isGrantedByStore && $0.best?.state == .revoked },
        sentence: { $0.sentence("what Apple has refunded is no longer paid for") })
}

extension RowCase {
    // The row names the cancelled chain or purchase, so no other receipt can disprove it.
    var namesWhatWasCancelled: Bool {
        guard let named = row?.originalTransaction, let best else { return false }
        return best.originalIDs.contains(named)
    }
}
