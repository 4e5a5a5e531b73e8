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

    package init(
        digest: Digest, user: UserID, bundle: BundleID, data: ReceiptData,
        environment: StoreEnvironment, validatedAt: Instant, validUntil: Instant,
        runNumber: Int64, unlocked: UnlockedProducts
    ) {
        self.digest = digest
        self.user = user
        self.bundle = bundle
        self.data = data
        self.environment = environment
        self.validatedAt = validatedAt
        self.validUntil = validUntil
        self.runNumber = runNumber
        self.unlocked = unlocked
    }
}

/// A new download key, which must be stored before it is sent.
package struct IssuedKey: Sendable {
    package let asset: StoredValidation.Asset
    package let key: String
    package let expiresAt: Instant

    package init(asset: StoredValidation.Asset, key: String, expiresAt: Instant) {
        self.asset = asset
        self.key = key
        self.expiresAt = expiresAt
    }
}
