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
