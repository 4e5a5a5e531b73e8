/// The content of an authentic answer: one customer's purchases in one app.
package struct Receipt: Hashable, Sendable {
    /// Whether it can say when the app itself was bought, and in which version: an iOS 6 answer is
    /// about one transaction only.
    var tellsPurchaseOfApp = true
    var bundle: BundleID
    var environment: StoreEnvironment
    /// Nil in iOS 6 answers.
    var createdAt: Instant?
    /// Apple's clock when it answered.
    var requestedAt: Instant?
    /// The build number on iOS, the marketing version on macOS; always "1.0" in the sandbox.
    var originalApplicationVersion: String?
    var originalPurchaseAt: Instant?
    /// In no particular order; each `id` is unique.
    var transactions: [Transaction] = []
    var renewals: [Renewal] = []
    var anomalies: [ParseAnomaly] = []
    /// The kinds of products, where the answer tells them.
    var kinds: [ProductID: ProductKind] = [:]
}

extension Receipt {
    /// The ids of all transactions and of their chains, also of those that were set aside.
    var shownIDs: [TransactionID] {
        transactions.flatMap { [$0.id, $0.originalID] } + anomalies.compactMap(\.transaction)
    }
}

/// A malformed entry of Apple's answer, with the key that is missing or unreadable.
struct ParseAnomaly: Hashable, Sendable {
    /// The `key` of a transaction that one list holds twice with different content.
    static let duplicateKey = "transaction_id twice"

    static let unstorableKey = "text beyond the database's encoding"

    var key: String
    var transaction: TransactionID?
}
