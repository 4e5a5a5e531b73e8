/// The outcome of one stored receipt in a run. Each receipt is in exactly one bucket.
package struct Outcome: Hashable, Sendable {
    package var receipt: ReceiptID?
    package var user: UserID?
    package var bundle: BundleID?
    package var validation: Validation
    package var attempts: AttemptSummary
    /// The user's rows that were counted `unverified`.
    package var entitlementsAffected: Int

    package init(
        receipt: ReceiptID?, user: UserID?, bundle: BundleID?, validation: Validation,
        attempts: AttemptSummary = AttemptSummary(), entitlementsAffected: Int = 0
    ) {
        self.receipt = receipt
        self.user = user
        self.bundle = bundle
        self.validation = validation
        self.attempts = attempts
        self.entitlementsAffected = entitlementsAffected
    }
}

/// The calls for one receipt and the result of the last one.
package struct AttemptSummary: Hashable, Sendable {
    package var count = 0
    /// Apple's `status` in the last answer that had one.
    package var lastStatus: Int?
    package var lastHTTPStatus: Int?
    /// One line for an engineer, without secrets or receipt data.
    package var detail: String?
    package var answeredAt: Instant?
    package var server: StoreEnvironment?

    package init() {}
}

/// A line of `unverified.csv`: a receipt that could not be checked, and the cause.
package struct UnverifiedReceipt: Hashable, Sendable {
    package var receipt: ReceiptID?
    package var user: UserID?
    package var bundle: BundleID?
    package var cause: String
    package var attempts: Int
    package var lastStatus: Int?
    package var lastHTTPStatus: Int?
    package var detail: String?
    package var entitlementsAffected: Int

    package init(
        receipt: ReceiptID?, user: UserID?, bundle: BundleID?, cause: String, attempts: Int,
        lastStatus: Int?, lastHTTPStatus: Int?, detail: String?, entitlementsAffected: Int
    ) {
        self.receipt = receipt
        self.user = user
        self.bundle = bundle
        self.cause = cause
        self.attempts = attempts
        self.lastStatus = lastStatus
        self.lastHTTPStatus = lastHTTPStatus
        self.detail = detail
        self.entitlementsAffected = entitlementsAffected
    }
}
