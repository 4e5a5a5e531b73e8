enum FactRules {
    /// Kinds found by judging one user.
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
        .sourcesDisagree,
        .transactionUnknown,
        .downloadKeyForRevokedProduct,
        .downloadKeyOrphaned,
        .productNotUnlocked,
    ]

    /// Kinds found by comparing users at the end of the run.
    static let acrossUsers: [FindingKind] = [
        .sharedOriginalTransaction, .sharedReceipt, .unknownProduct, .refundWithoutReceipt,
    ]

    static let onlyOverEverything: [FindingKind] = [.sharedOriginalTransaction, .sharedReceipt]

    static let ofDownloadKeys: [FindingKind] = [
        .downloadKeyForRevokedProduct, .downloadKeyOrphaned, .productNotUnlocked,
    ]

    static let kinds = acrossUsers + all.map(\.kind)
}
