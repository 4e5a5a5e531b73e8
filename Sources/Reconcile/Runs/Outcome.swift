/// The outcome of one stored receipt in a run. Each receipt is in exactly one bucket.
struct Outcome: Hashable, Sendable {
    var receipt: ReceiptID?
    var user: UserID?
    var bundle: BundleID?
    var validation: Validation
    var attempts: AttemptSummary = AttemptSummary()
    /// The user's rows that were counted `unverified`.
    var entitlementsAffected: Int = 0
}

/// The calls for one receipt and the result of the last one.
struct AttemptSummary: Hashable, Sendable {
    var count = 0
    var lastStatus: Int?
    var lastHTTPStatus: Int?
    /// One line for an engineer, without secrets or receipt data.
    var detail: String?
    var answeredAt: Instant?
    /// The server that was asked last.
    var server: AppleServer?

    init() {}
}

/// A line of `unverified.csv`.
package struct UnverifiedReceipt: Hashable, Sendable {
    var receipt: ReceiptID?
    var user: UserID?
    var bundle: BundleID?
    var cause: String
    var attempts: Int
    var lastStatus: Int?
    var lastHTTPStatus: Int?
    var detail: String?
    var entitlementsAffected: Int
}

extension Run {
    /// Receipts with a forbidden null are listed in `unverified.csv`, where every line of an
    /// offline run says so.
    var detailOfInvalidReceipts: String? { isOffline ? "judged offline" : nil }
}
