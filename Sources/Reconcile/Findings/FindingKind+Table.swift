/// The constant columns of SPEC §5's two tables.
extension FindingKind {
    /// The kinds of the first table: what is wrong with one stored row. Of these a row has at most
    /// one.
    package static let ofStoredRows: [FindingKind] = [
        .refundedStillGranted, .familyRevokedStillGranted, .expiredStillGranted,
        .billingRetryStillGranted, .grantWithoutReceipt, .wrongAppReceipt,
        .sandboxGrantsProduction, .grantWithoutTransaction, .refundReversedNotRestored,
        .activeNotGranted, .graceNotGranted, .ownedNotGranted, .expiryMissing, .expiryTooLate,
        .expiryTooEarly,
    ]

    /// Reported once, and never cleared.
    package static let events: Set<FindingKind> = [
        .refundRecorded, .familyRevocationRecorded, .refundReversed, .expired,
    ]

    /// Found at the end of a run, over all users.
    package static let acrossUsers: Set<FindingKind> = []

    /// Nil where it depends on whether the user has a granted row.
    package var severity: Severity? {
        switch self {
        case .refundedStillGranted, .wrongAppReceipt, .sandboxGrantsProduction,
            .grantWithoutTransaction, .activeNotGranted, .ownedNotGranted:
            .critical
        case .familyRevokedStillGranted, .expiredStillGranted, .refundReversedNotRestored,
            .graceNotGranted, .expiryMissing:
            .high
        case .billingRetryStillGranted, .grantWithoutReceipt, .expiryTooLate, .expiryTooEarly,
            .receiptAccountGone, .receiptContradictsAnswer:
            .medium
        case .receiptIsJWS, .receiptFromXcode:
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
            .grantWithoutTransaction, .expiryMissing, .expiryTooLate:
            .leak
        case .refundReversedNotRestored, .activeNotGranted, .graceNotGranted, .ownedNotGranted,
            .expiryTooEarly:
            .owed
        case .grantWithoutReceipt, .refundRecorded, .familyRevocationRecorded,
            .refundReversed, .expired, .receiptAccountGone, .receiptMalformed, .receiptIsJWS,
            .receiptFromXcode, .receiptContradictsAnswer:
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
            .grantWithoutTransaction, .activeNotGranted, .graceNotGranted, .ownedNotGranted,
            .expiryMissing, .expiryTooLate, .expiryTooEarly:
            .mismatches
        case .receiptNotAuthentic, .receiptAccountGone, .receiptMalformed, .receiptIsJWS,
            .receiptFromXcode, .receiptForOtherApp, .receiptContradictsAnswer:
            .receipts
        }
    }

    /// SPEC §9, "Columns by kind".
    package var proposedAction: ProposedAction {
        switch self {
        case .refundedStillGranted, .familyRevokedStillGranted, .expiredStillGranted,
            .billingRetryStillGranted, .wrongAppReceipt, .sandboxGrantsProduction,
            .grantWithoutTransaction:
            .revoke
        case .expiryMissing, .expiryTooLate: .shorten
        case .refundReversedNotRestored, .activeNotGranted, .graceNotGranted, .ownedNotGranted:
            .restore
        case .expiryTooEarly: .extend
        case .receiptMalformed, .receiptIsJWS, .receiptFromXcode: .refreshReceipt
        case .grantWithoutReceipt, .receiptNotAuthentic, .receiptAccountGone, .receiptForOtherApp,
            .receiptContradictsAnswer:
            .investigate
        case .refundRecorded, .familyRevocationRecorded, .refundReversed, .expired: .none
        }
    }
}
