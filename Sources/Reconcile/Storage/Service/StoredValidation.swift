/// The result of Apple's last answer about a receipt, as stored in schema `app`.
struct StoredValidation: Sendable {
    /// An unlocked asset, and the first product that unlocks it.
    struct Asset: Equatable, Sendable {
        let id: String
        let remoteProduct: String
        let product: ProductID
        /// The team's name of the download.
        let productKey: String
        /// The end of the right; nil for no end.
        let endsAt: Instant?
    }

    let receipt: ReceiptID
    let environment: StoreEnvironment
    let validatedAt: Instant
    /// Whether it is not expired, and no published run has since recorded a refund.
    let isCurrent: Bool
    /// Whether the receipt is stored for the requested user.
    let hasUser: Bool
    /// Each asset once, in the byte order of the remote ids.
    let assets: [Asset]
}

struct NewValidation: Sendable {
    var digest: Digest
    var content: SignedContent?
    /// Nil: its digest is the user.
    var user: UserID?
    var bundle: BundleID
    var data: ReceiptData
    var environment: StoreEnvironment
    var validatedAt: Instant
    var validUntil: Instant
    /// The number of the newest published run when Apple was asked.
    var runNumber: Int64
    var unlocked: UnlockedProducts
}

/// What Apple signed in a receipt. Anybody can put it into other bytes: one receipt stands for all
/// with the same content.
struct SignedContent: Sendable {
    let digest: Digest
    /// Whether there is more in the receipt, or the same content came in other bytes before.
    let isVariant: Bool
}

struct IssuedKey: Sendable {
    let asset: StoredValidation.Asset
    let key: String
    let expiresAt: Instant
}
