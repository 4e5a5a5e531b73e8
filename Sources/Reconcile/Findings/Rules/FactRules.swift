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
        .downloadKeyForRevokedProduct,
        .downloadKeyOrphaned,
        .productNotUnlocked,
    ]

    /// What is found when everybody is judged, by comparing users.
    static let acrossUsers: [FindingKind] = [
        .sharedOriginalTransaction, .sharedReceipt, .unknownProduct,
    ]

    /// Of these, what only a run over everything can find.
    static let onlyOverEverything: [FindingKind] = [.sharedOriginalTransaction, .sharedReceipt]

    /// What is found about download keys.
    static let ofDownloadKeys: [FindingKind] = [
        .downloadKeyForRevokedProduct, .downloadKeyOrphaned, .productNotUnlocked,
    ]

    static let kinds = acrossUsers + all.map(\.kind)
}
