/// The result of Apple's last answer about a receipt, as stored in schema `app`.
package struct StoredValidation: Sendable {
    /// An unlocked asset, and the first product that unlocks it.
    package struct Asset: Equatable, Sendable {
        package let id: String
        package let remoteProduct: String
        package let product: ProductID
        /// The team's name of the download.
        package let productKey: String
        /// The end of the right; nil for no end.
        package let endsAt: Instant?
    }

    package let receipt: ReceiptID
    package let environment: StoreEnvironment
    package let validatedAt: Instant
    /// Whether it is not expired, and no published run has since recorded a refund.
    package let isCurrent: Bool
    /// Whether the receipt is stored for the requested user.
    package let hasUser: Bool
    /// Each asset once, in the byte order of the remote ids.
    package let assets: [Asset]
}

package struct NewValidation: Sendable {
    package var digest: Digest
    package var user: UserID
    package var bundle: BundleID
    /// Base64 in one line.
    package var data: ReceiptData
    package var environment: StoreEnvironment
    package var validatedAt: Instant
    package var validUntil: Instant
    /// The number of the newest published run when Apple was asked.
    package var runNumber: Int64
    package var unlocked: UnlockedProducts
}

/// A new download key, which must be stored before it is sent.
package struct IssuedKey: Sendable {
    package let asset: StoredValidation.Asset
    package let key: String
    package let expiresAt: Instant
}
