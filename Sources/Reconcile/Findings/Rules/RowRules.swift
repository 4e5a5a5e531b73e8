/// The first table of SPEC §5, in its order. The first rule that matches a row counts.
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
