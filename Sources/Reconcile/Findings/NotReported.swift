/// An entitlement that was judged by no line of a report, and why: a line of `not_reported.csv`.
package struct NotReported: Hashable, Sendable {
    /// The buckets of the controls that hold neither findings nor what is consistent.
    package enum Bucket: String, Hashable, Sendable {
        case settling, unverified
        case notJudged = "not_judged"
    }

    /// Raw values are the column `cause`.
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        /// Settling: the cause is less than `--settle` ago.
        case recent
        /// Settling: the row was changed after the instant that everything is judged at.
        case changedAfterAsOf = "changed_after_as_of"
        /// Unverified: a receipt that could speak for the user could not be checked or read.
        case evidenceMissing = "evidence_missing"
        /// Unverified: the row is newer than every receipt on file, which would not show it.
        case newerThanReceipts = "newer_than_receipts"
        /// Unverified: the row names a subscription that no receipt shows, and is newer than they.
        case subscriptionUnknown = "subscription_unknown"
        /// Unverified: no receipt tells whether the app was paid for.
        case paidVersionUndecidable = "paid_version_undecidable"
        /// Unverified: only what came after the receipts would show it, and the run is offline.
        case offline
        /// Not judged: the row is from a source that is not judged.
        case source
        /// Not judged: nothing says of what kind the product is.
        case productUnknown = "product_unknown"
        case consumable
        /// Not judged: the catalogue has no `access_duration` for a non-renewing product.
        case accessDurationUnknown = "access_duration_unknown"
        /// Not judged: a `legacy_paid` row, and no receipt tells when the user first got the app.
        case noReceiptOfApp = "no_receipt_of_app"
        /// Not judged: a column of the stored row is null that must not be.
        case invalidRow = "invalid_row"
    }

    package var entitlement: EntitlementID?
    package var bucket: Bucket
    /// The finding that it would have been; nil where there is none, or it is not known.
    package var kind: FindingKind?
    package var cause: Cause

    package init(
        entitlement: EntitlementID?, bucket: Bucket, kind: FindingKind? = nil, cause: Cause
    ) {
        self.entitlement = entitlement
        self.bucket = bucket
        self.kind = kind
        self.cause = cause
    }
}

/// A line of `not_reported`: an entitlement that is neither consistent nor in a finding.
package struct NotReportedRow: Hashable, Sendable {
    package var user: UserID?
    package var notReported: NotReported

    package init(user: UserID?, notReported: NotReported) {
        self.user = user
        self.notReported = notReported
    }
}
