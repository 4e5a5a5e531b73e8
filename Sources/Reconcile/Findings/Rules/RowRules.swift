/// The first table of SPEC §5, in its order: a row has the first line that it matches.
enum RowRules {
    static let all: [RowRule] = [
        .refundedStillGranted,
        .familyRevokedStillGranted,
        .expiredStillGranted,
        .billingRetryStillGranted,
        .grantWithoutReceipt,
        .wrongAppReceipt,
        .sandboxGrantsProduction,
        .grantWithoutTransaction,
        .freemiumUndecidable,
        .freemiumGrantedNotPaid,
        .refundReversedNotRestored,
        .activeNotGranted,
        .graceNotGranted,
        .ownedNotGranted,
        .freemiumPaidNotGranted,
        .duplicateGrant,
        .upgradeNotApplied,
        .downgradeNotApplied,
        .productMismatch,
        .expiryMissing,
        .expiryTooLate,
        .expiryTooEarly,
        .ownershipMismatch,
        .labelStale,
    ]
}
