/// The constant columns of SPEC §5's two tables.
extension FindingKind {
    /// The kinds of the first table, in its order: what is wrong with one stored row. Of these a
    /// row has at most one.
    package static let ofStoredRows: [FindingKind] = [
        .refundedStillGranted, .familyRevokedStillGranted, .expiredStillGranted,
        .billingRetryStillGranted, .grantWithoutReceipt, .wrongAppReceipt,
        .sandboxGrantsProduction, .grantWithoutTransaction, .freemiumUndecidable,
        .freemiumGrantedNotPaid, .activeNotGranted, .graceNotGranted, .ownedNotGranted,
        .freemiumPaidNotGranted, .duplicateGrant, .upgradeNotApplied, .downgradeNotApplied,
        .productMismatch, .expiryMissing, .expiryTooLate, .expiryTooEarly, .ownershipMismatch,
        .labelStale,
    ]

    /// Nil where it depends on whether the user has a granted row.
    package var severity: Severity? {
        switch self {
        case .refundedStillGranted, .wrongAppReceipt, .sandboxGrantsProduction,
            .grantWithoutTransaction, .activeNotGranted, .ownedNotGranted:
            .critical
        case .familyRevokedStillGranted, .expiredStillGranted, .graceNotGranted,
            .freemiumPaidNotGranted, .expiryMissing, .sharedOriginalTransaction:
            .high
        case .billingRetryStillGranted, .grantWithoutReceipt, .freemiumGrantedNotPaid,
            .duplicateGrant, .upgradeNotApplied, .downgradeNotApplied, .expiryTooLate,
            .expiryTooEarly, .ownershipMismatch, .unknownProduct, .receiptAccountGone,
            .implausibleDates:
            .medium
        case .freemiumUndecidable, .productMismatch, .labelStale, .receiptIsJWS,
            .receiptFromXcode, .parseAnomaly:
            .low
        case .refundRecorded, .familyRevocationRecorded, .expired:
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
        case .activeNotGranted, .graceNotGranted, .ownedNotGranted, .freemiumPaidNotGranted,
            .upgradeNotApplied, .expiryTooEarly:
            .owed
        case .grantWithoutReceipt, .freemiumUndecidable, .productMismatch, .ownershipMismatch,
            .labelStale, .unknownProduct, .refundRecorded, .familyRevocationRecorded, .expired,
            .receiptAccountGone, .receiptMalformed, .receiptIsJWS, .receiptFromXcode,
            .implausibleDates, .parseAnomaly:
            Direction.none
        case .receiptNotAuthentic, .receiptForOtherApp:
            nil
        }
    }

    package var file: FindingFile {
        switch self {
        case .refundedStillGranted, .familyRevokedStillGranted, .refundRecorded,
            .familyRevocationRecorded:
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
            .receiptFromXcode, .receiptForOtherApp, .implausibleDates, .parseAnomaly:
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
        case .activeNotGranted, .graceNotGranted, .ownedNotGranted, .freemiumPaidNotGranted:
            .restore
        case .expiryTooEarly: .extend
        case .upgradeNotApplied, .downgradeNotApplied: .changeProduct
        case .ownershipMismatch, .labelStale: .relabel
        case .receiptMalformed, .receiptIsJWS, .receiptFromXcode: .refreshReceipt
        case .grantWithoutReceipt, .freemiumUndecidable, .productMismatch,
            .sharedOriginalTransaction, .unknownProduct, .receiptNotAuthentic,
            .receiptAccountGone, .receiptForOtherApp, .implausibleDates, .parseAnomaly:
            .investigate
        case .refundRecorded, .familyRevocationRecorded, .expired: .none
        }
    }
}
