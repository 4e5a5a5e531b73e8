extension FindingKind {
    /// Whether a run that asks nobody makes it: a receipt that Apple signed shows it, or what is
    /// stored, and nothing that came after the receipt is needed to know it.
    ///
    /// For the others the row is `unverified`. Line by line, with reasons: docs/decisions/0070.
    package var isFoundOffline: Bool {
        switch self {
        case .grantWithoutReceipt, .activeNotGranted, .ownedNotGranted,
            .freemiumPaidNotGranted, .upgradeNotApplied, .expiryTooEarly,
            .unknownProduct, .refundRecorded, .receiptNotAuthentic,
            .receiptMalformed, .receiptIsJWS, .receiptFromXcode, .receiptForOtherApp,
            .implausibleDates, .parseAnomaly:
            true
        case .refundedStillGranted, .familyRevokedStillGranted, .expiredStillGranted,
            .billingRetryStillGranted, .wrongAppReceipt, .sandboxGrantsProduction,
            .grantWithoutTransaction, .freemiumUndecidable, .freemiumGrantedNotPaid,
            .refundReversedNotRestored, .sharedOriginalTransaction,
            .graceNotGranted, .duplicateGrant, .downgradeNotApplied, .productMismatch,
            .expiryMissing, .expiryTooLate, .ownershipMismatch, .labelStale,
            .familyRevocationRecorded, .refundReversed, .expired, .receiptAccountGone,
            .receiptContradictsAnswer:
            false
        }
    }
}

extension ReportedFinding {
    /// The same for a finding of an earlier night that this one clears.
    package func judgedOffline() -> ReportedFinding {
        guard !finding.explanation.contains(" (judged offline, ") else { return self }
        var row = self
        row.finding = finding.judgedOffline()
        return row
    }
}

extension Finding {
    /// The same, with the limits of its proof at the end of its sentence.
    /// - Parameter madeAt: when Apple made the receipt that it was found by; nil: several, or none.
    package func judgedOffline(madeAt: Instant? = nil) -> Finding {
        let proof =
            madeAt.map { "by the receipt that Apple made \($0): what came after it" }
            ?? "by stored receipts alone: what came after they were made"
        let limits =
            " (judged offline, \(proof), renewals, refunds and expiries among it, is not known)."
        var finding = self
        finding.explanation =
            explanation.hasSuffix(".")
            ? explanation.dropLast() + limits : explanation + limits
        return finding
    }
}
