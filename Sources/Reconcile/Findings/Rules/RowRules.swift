/// The rules about rows, in order: the first rule that matches a row counts.
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
