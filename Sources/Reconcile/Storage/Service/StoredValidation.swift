/// What Apple's last answer about a receipt came to, as schema `app` keeps it.
package struct StoredValidation: Sendable {
    /// An asset that is unlocked, and the product that it is unlocked by: of several the first.
    package struct Asset: Equatable, Sendable {
        package let id: String
        /// What the app calls it.
        package let remoteProduct: String
        package let product: ProductID
        /// The team's name of what may be downloaded.
        package let productKey: String
        /// When the right ends; nil: never.
        package let endsAt: Instant?
    }

    package let receipt: ReceiptID
    package let environment: StoreEnvironment
    package let validatedAt: Instant
    /// Its end has not passed, and no published run has since recorded a refund.
    package let isCurrent: Bool
    /// Whether the receipt is stored for the user who was asked about.
    package let hasUser: Bool
    /// Each once, in the order of the remote ids' bytes.
    package let assets: [Asset]
}

/// A verified receipt that is to be stored, and what it unlocks.
package struct NewValidation: Sendable {
    package var digest: Digest
    package var user: UserID
    package var bundle: BundleID
    /// Base64 in one line.
    package var data: ReceiptData
    package var environment: StoreEnvironment
    package var validatedAt: Instant
    package var validUntil: Instant
    /// The newest published run when Apple was asked.
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

/// A download key that was cut, to be stored before it is handed out.
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
