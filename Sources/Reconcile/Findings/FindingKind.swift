/// Every way in which Apple and the service can disagree, and every event worth a line
/// (SPEC §5, both tables). A further kind is a case here, a rule, and a row of a test.
package enum FindingKind: String, Hashable, Sendable, CaseIterable {
    case refundedStillGranted = "refunded_still_granted"
    case familyRevokedStillGranted = "family_revoked_still_granted"
    case expiredStillGranted = "expired_still_granted"
    case billingRetryStillGranted = "billing_retry_still_granted"
    case grantWithoutReceipt = "grant_without_receipt"
    case wrongAppReceipt = "wrong_app_receipt"
    case sandboxGrantsProduction = "sandbox_grants_production"
    case grantWithoutTransaction = "grant_without_transaction"
    case freemiumUndecidable = "freemium_undecidable"
    case freemiumGrantedNotPaid = "freemium_granted_not_paid"
    case refundReversedNotRestored = "refund_reversed_not_restored"
    case activeNotGranted = "active_not_granted"
    case graceNotGranted = "grace_not_granted"
    case ownedNotGranted = "owned_not_granted"
    case freemiumPaidNotGranted = "freemium_paid_not_granted"
    case duplicateGrant = "duplicate_grant"
    case upgradeNotApplied = "upgrade_not_applied"
    case downgradeNotApplied = "downgrade_not_applied"
    case productMismatch = "product_mismatch"
    case expiryMissing = "expiry_missing"
    case expiryTooLate = "expiry_too_late"
    case expiryTooEarly = "expiry_too_early"
    case ownershipMismatch = "ownership_mismatch"
    case labelStale = "label_stale"

    case sharedOriginalTransaction = "shared_original_transaction"
    case unknownProduct = "unknown_product"
    case refundRecorded = "refund_recorded"
    case familyRevocationRecorded = "family_revocation_recorded"
    case refundReversed = "refund_reversed"
    case expired
    case receiptNotAuthentic = "receipt_not_authentic"
    case receiptAccountGone = "receipt_account_gone"
    case receiptMalformed = "receipt_malformed"
    case receiptIsJWS = "receipt_is_jws"
    case receiptFromXcode = "receipt_from_xcode"
    case receiptForOtherApp = "receipt_for_other_app"
    case implausibleDates = "implausible_dates"
    case parseAnomaly = "parse_anomaly"
    case receiptContradictsAnswer = "receipt_contradicts_answer"
}

/// How soon somebody should look. In order, the worst first.
package enum Severity: String, Hashable, Sendable, CaseIterable {
    case critical, high, medium, low, info

    /// 0 for `critical`; the order of rows in a report.
    package var rank: Int {
        switch self {
        case .critical: 0
        case .high: 1
        case .medium: 2
        case .low: 3
        case .info: 4
        }
    }
}

/// Who loses: the business by a `leak`, the customer by what is `owed`, nobody by `none`.
package enum Direction: String, Hashable, Sendable {
    case leak, owed, none
}

/// The report that a finding stands in. Raw values are file names without extension.
package enum FindingFile: String, Hashable, Sendable, CaseIterable {
    case expirations, refunds, mismatches, receipts
}

/// What the reader is advised to do about the stored row.
package enum ProposedAction: String, Hashable, Sendable {
    case revoke, restore, extend, shorten
    case changeProduct = "change_product"
    case relabel
    case refreshReceipt = "refresh_receipt"
    case investigate, none
}
