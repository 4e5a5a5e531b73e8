struct NotReported: Hashable, Sendable {
    enum Bucket: String, Hashable, Sendable {
        case settling, unverified
        case notJudged = "not_judged"
    }

    /// Raw values are the column `cause`.
    enum Cause: String, Hashable, Sendable, CaseIterable {
        /// Settling: the cause is less than `--settle` ago.
        case recent
        /// Settling: the row was changed after `as_of`.
        case changedAfterAsOf = "changed_after_as_of"
        /// Unverified: a receipt of the user could not be checked or read.
        case evidenceMissing = "evidence_missing"
        /// Unverified: the row is newer than every receipt that gives rights.
        case newerThanReceipts = "newer_than_receipts"
        /// Unverified: the row, newer than all receipts, names a subscription that none shows.
        case subscriptionUnknown = "subscription_unknown"
        /// Unverified: a purchase that would disprove it was shown before, and is in no answer.
        case purchaseVanished = "purchase_vanished"
        /// Unverified: the dates of what would prove it cannot be true.
        case datesUntrue = "implausible_dates"
        /// Unverified: no receipt shows whether the app was paid for.
        case paidVersionUndecidable = "paid_version_undecidable"
        /// Unverified: the run is offline, and events after the receipts could disprove it.
        case offline
        /// Not judged: rows of this source are never judged.
        case source
        /// Not judged: the product's kind is unknown.
        case productUnknown = "product_unknown"
        case consumable
        /// Not judged: the catalogue has no `access_duration` for a non-renewing product.
        case accessDurationUnknown = "access_duration_unknown"
        /// Not judged: a `legacy_paid` row, and no receipt shows when the user first got the app.
        case noReceiptOfApp = "no_receipt_of_app"
        /// Not judged: a required column of the stored row is null.
        case invalidRow = "invalid_row"
        /// Not judged: the service stored the receipt without a user. Never of a stored row.
        case unclaimed
    }

    var entitlement: EntitlementID?
    var bucket: Bucket
    /// The kind of the finding it would have been; nil when there is none or it is unknown.
    var kind: FindingKind?
    var cause: Cause
}

package struct NotReportedRow: Hashable, Sendable {
    var user: UserID?
    var notReported: NotReported
}
