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
    /// Whose answer it is; nil when nobody was asked.
    var source: AnswerSource?
}
