/// The content of an authentic answer: one customer's purchases in one app.
package struct Receipt: Hashable, Sendable {
    /// iOS 6 answers hold one transaction, and neither a creation date nor an app version.
    package enum Style: Hashable, Sendable { case modern, iOS6 }

    package var style: Style = .modern
    package var bundle: BundleID
    package var environment: StoreEnvironment
    /// When Apple made the receipt. Nil in iOS 6 answers.
    package var createdAt: Instant?
    /// Apple's clock when it answered.
    package var requestedAt: Instant?
    /// The first version that the customer got: the build number on iOS, the marketing version on
    /// macOS. Always "1.0" in the sandbox.
    package var originalApplicationVersion: String?
    package var originalPurchaseAt: Instant?
    /// In no particular order; each `id` is unique.
    package var transactions: [Transaction] = []
    /// In no particular order; each `originalID` is unique.
    package var renewals: [Renewal] = []
    /// Malformed entries, which are not in `transactions`.
    package var anomalies: [ParseAnomaly] = []
}

/// A malformed entry of Apple's answer, with the key that is missing or unreadable.
package struct ParseAnomaly: Hashable, Sendable {
    /// The `key` of a transaction that one list holds twice with different content.
    package static let duplicateKey = "transaction_id twice"

    package static let unstorableKey = "text beyond the database's encoding"

    package var key: String
    package var transaction: TransactionID?
}
