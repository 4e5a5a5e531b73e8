/// The constant columns of SPEC §5's two tables.
extension FindingKind {
    /// The kinds of the first table, in its order: what is wrong with one stored row. Of these a
    /// row has at most one.
    package static let ofStoredRows: [FindingKind] = [
        .refundedStillGranted, .familyRevokedStillGranted, .expiredStillGranted,
        .billingRetryStillGranted, .grantWithoutReceipt, .wrongAppReceipt,
        .sandboxGrantsProduction, .grantWithoutTransaction, .freemiumUndecidable,
        .freemiumGrantedNotPaid, .refundReversedNotRestored, .activeNotGranted, .graceNotGranted,
        .ownedNotGranted, .freemiumPaidNotGranted, .duplicateGrant, .upgradeNotApplied,
        .downgradeNotApplied, .productMismatch, .expiryMissing, .expiryTooLate, .expiryTooEarly,
        .ownershipMismatch, .labelStale,
    ]

    /// Reported once, and never cleared.
    package static let events: Set<FindingKind> = [
        .refundRecorded, .familyRevocationRecorded, .refundReversed, .expired,
    ]

    /// Found at the end of a run, over all users.
    package static let acrossUsers: Set<FindingKind> = [
        .sharedOriginalTransaction, .unknownProduct,
    ]

    /// Nil where it depends on whether the user has a granted row.
    package var severity: Severity? {
        switch self {
        case .refundedStillGranted, .wrongAppReceipt, .sandboxGrantsProduction,
            .grantWithoutTransaction, .activeNotGranted, .ownedNotGranted:
            .critical
        case .familyRevokedStillGranted, .expiredStillGranted, .refundReversedNotRestored,
            .graceNotGranted, .freemiumPaidNotGranted, .expiryMissing,
            .sharedOriginalTransaction:
            .high
        case .billingRetryStillGranted, .grantWithoutReceipt, .freemiumGrantedNotPaid,
            .duplicateGrant, .upgradeNotApplied, .downgradeNotApplied, .expiryTooLate,
            .expiryTooEarly, .ownershipMismatch, .unknownProduct, .receiptAccountGone,
            .implausibleDates, .receiptContradictsAnswer:
            .medium
        case .freemiumUndecidable, .productMismatch, .labelStale, .receiptIsJWS,
            .receiptFromXcode, .parseAnomaly:
            .low
        case .refundRecorded, .familyRevocationRecorded, .refundReversed, .expired:
            .info
        case .receiptNotAuthentic, .receiptMalformed, .receiptForOtherApp:
            nil
        }
    }

    /// Nil where it depends on whether the user has a granted row.
    package var direction: Direction? {
        switch self {
        case .refundedStillGranted, .familyRevokedStillGranted, .expiredStillGranted,
            .billingRetryStillGranted, .wrongAppReceipt, .sandboxGrantsProduction,
            .grantWithoutTransaction, .freemiumGrantedNotPaid, .duplicateGrant,
            .downgradeNotApplied, .expiryMissing, .expiryTooLate, .sharedOriginalTransaction:
            .leak
        case .refundReversedNotRestored, .activeNotGranted, .graceNotGranted, .ownedNotGranted,
            .freemiumPaidNotGranted, .upgradeNotApplied, .expiryTooEarly:
            .owed
        case .grantWithoutReceipt, .freemiumUndecidable, .productMismatch, .ownershipMismatch,
            .labelStale, .unknownProduct, .refundRecorded, .familyRevocationRecorded,
            .refundReversed, .expired, .receiptAccountGone, .receiptMalformed, .receiptIsJWS,
            .receiptFromXcode, .implausibleDates, .parseAnomaly,
            .receiptContradictsAnswer:
            Direction.none
        case .receiptNotAuthentic, .receiptForOtherApp:
            nil
        }
    }

    package var file: FindingFile {
        switch self {
        case .refundedStillGranted, .familyRevokedStillGranted, .refundRecorded,
            .familyRevocationRecorded, .refundReversed, .refundReversedNotRestored:
            .refunds
        case .expiredStillGranted, .billingRetryStillGranted, .expired:
            .expirations
        case .grantWithoutReceipt, .wrongAppReceipt, .sandboxGrantsProduction,
            .grantWithoutTransaction, .freemiumUndecidable, .freemiumGrantedNotPaid,
            .activeNotGranted, .graceNotGranted, .ownedNotGranted, .freemiumPaidNotGranted,
            .duplicateGrant, .upgradeNotApplied, .downgradeNotApplied, .productMismatch,
            .expiryMissing, .expiryTooLate, .expiryTooEarly, .ownershipMismatch, .labelStale,
            .sharedOriginalTransaction, .unknownProduct:
            .mismatches
        case .receiptNotAuthentic, .receiptAccountGone, .receiptMalformed, .receiptIsJWS,
            .receiptFromXcode, .receiptForOtherApp, .implausibleDates, .parseAnomaly,
            .receiptContradictsAnswer:
            .receipts
        }
    }

    /// SPEC §9, "Columns by kind".
    package var proposedAction: ProposedAction {
        switch self {
        case .refundedStillGranted, .familyRevokedStillGranted, .expiredStillGranted,
            .billingRetryStillGranted, .wrongAppReceipt, .sandboxGrantsProduction,
            .grantWithoutTransaction, .freemiumGrantedNotPaid, .duplicateGrant:
            .revoke
        case .expiryMissing, .expiryTooLate: .shorten
        case .refundReversedNotRestored, .activeNotGranted, .graceNotGranted, .ownedNotGranted,
            .freemiumPaidNotGranted:
            .restore
        case .expiryTooEarly: .extend
        case .upgradeNotApplied, .downgradeNotApplied: .changeProduct
        case .ownershipMismatch, .labelStale: .relabel
        case .receiptMalformed, .receiptIsJWS, .receiptFromXcode: .refreshReceipt
        case .grantWithoutReceipt, .freemiumUndecidable, .productMismatch,
            .sharedOriginalTransaction, .unknownProduct, .receiptNotAuthentic,
            .receiptAccountGone, .receiptForOtherApp, .implausibleDates, .parseAnomaly,
            .receiptContradictsAnswer:
            .investigate
        case .refundRecorded, .familyRevocationRecorded, .refundReversed, .expired: .none
        }
    }
}
