/// The second table of SPEC §5, in its order.
enum FactRules {
    /// What is found about one user.
    static let all: [FactRule] = [
        .refundRecorded,
        .familyRevocationRecorded,
        .refundReversed,
        .expired,
        .receiptNotAuthentic,
        .receiptAccountGone,
        .receiptMalformed,
        .receiptIsJWS,
        .receiptFromXcode,
        .receiptForOtherApp,
        .implausibleDates,
        .parseAnomaly,
        .receiptContradictsAnswer,
    ]

    /// What is found when everybody is judged, by comparing users.
    static let acrossUsers: [FindingKind] = [
        .sharedOriginalTransaction, .sharedReceipt, .unknownProduct,
    ]

    static let kinds = acrossUsers + all.map(\.kind)
}
