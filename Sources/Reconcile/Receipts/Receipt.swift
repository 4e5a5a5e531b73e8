/// What an authentic answer of Apple's says: one customer's purchases in one app.
package struct Receipt: Hashable, Sendable {
    /// iOS 6 answers carry one transaction, and neither a creation date nor an app version.
    package enum Style: Hashable, Sendable { case modern, iOS6 }

    package var style: Style
    package var bundle: BundleID
    package var environment: StoreEnvironment
    /// When Apple made the receipt. Nil in iOS 6 answers.
    package var createdAt: Instant?
    /// Apple's clock when it answered.
    package var requestedAt: Instant?
    /// The version that the customer first got: the build number on iOS, the marketing version on
    /// macOS. Always "1.0" in the sandbox.
    package var originalApplicationVersion: String?
    /// When the customer first got the app.
    package var originalPurchaseAt: Instant?
    /// In no particular order; each `id` once.
    package var transactions: [Transaction]
    /// In no particular order; each `originalID` once.
    package var renewals: [Renewal]
    /// Lines that could not be read as a transaction and were set aside.
    package var anomalies: [ParseAnomaly]

    package init(
        style: Style = .modern, bundle: BundleID, environment: StoreEnvironment,
        createdAt: Instant? = nil, requestedAt: Instant? = nil,
        originalApplicationVersion: String? = nil, originalPurchaseAt: Instant? = nil,
        transactions: [Transaction] = [], renewals: [Renewal] = [], anomalies: [ParseAnomaly] = []
    ) {
        (self.style, self.bundle, self.environment) = (style, bundle, environment)
        (self.createdAt, self.requestedAt) = (createdAt, requestedAt)
        self.originalApplicationVersion = originalApplicationVersion
        self.originalPurchaseAt = originalPurchaseAt
        (self.transactions, self.renewals, self.anomalies) = (transactions, renewals, anomalies)
    }
}

/// A line of Apple's answer that is no transaction: what is missing or unreadable in it.
package struct ParseAnomaly: Hashable, Sendable {
    /// The `key` of a transaction that stands twice in one list, with different content.
    package static let duplicateKey = "transaction_id twice"

    /// The `key` of a text that the database cannot store.
    package static let unstorableKey = "text beyond the database's encoding"

    /// Apple's name of the key, for example `purchase_date`.
    package var key: String
    /// The line's `transaction_id`, where it has one.
    package var transaction: TransactionID?

    package init(key: String, transaction: TransactionID? = nil) {
        (self.key, self.transaction) = (key, transaction)
    }
}
