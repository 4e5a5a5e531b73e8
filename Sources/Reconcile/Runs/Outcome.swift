/// The outcome of one stored receipt in a run. Each receipt is in exactly one bucket.
struct Outcome: Hashable, Sendable {
    var receipt: ReceiptID?
    var user: UserID?
    var bundle: BundleID?
    var validation: Validation
    /// Whose answer it is; nil when nobody was asked.
    var source: AnswerSource?
    var attempts: AttemptSummary = AttemptSummary()
    /// The user's rows that were counted `unverified`.
    var entitlementsAffected: Int = 0
}

extension Run {
    /// Receipts with a forbidden null are listed in `unverified.csv`, where every line of an
    /// offline run says so.
    var detailOfInvalidReceipts: String? { isOffline ? "judged offline" : nil }
}
