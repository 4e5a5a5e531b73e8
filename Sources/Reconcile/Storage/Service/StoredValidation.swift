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
